/**
 * Millions of events with numbers, as years of use leave them behind. By the drivers themselves: the service limits
 * the time of a statement, and creating the indexes after the rows takes a tenth of the time.
 */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { DAY } from '../../src/lib/time/clock.ts';
import { SQLITE_FILE } from './seed.ts';

/** Executes SQL without parameters, and returns the rows of a query. */
type Execute = (text: string) => Promise<Record<string, string>[]>;

interface Driver {
  readonly execute: Execute;
  /** Texts of the secondary indexes of the table of events, by name. */
  readonly indexes: string;
  /** What makes the table as a running service leaves it. */
  readonly finish: string;
  close(): Promise<void>;
}

export interface EventPlace {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** Rows per statement. */
const BATCH = 500_000;
/** Days of the events. Half of them have an age at which the service keeps no address. */
export const AGE_DAYS = 60;
const ADDRESS_AGE_DAYS = 29;
/** One in so many events is that of the first user. */
const FIRST_USER_SHARE = 10_000;

/** Inserts events of all users, with a chain and numbers, into a database without events. No service may run. */
export async function seedEvents(place: EventPlace, events: number): Promise<void> {
  const driver =
    place.databaseUrl === null ? openSqlite(place.dataDir) : await openPostgres(place.databaseUrl);
  const { execute, indexes } = driver;
  const now = Date.now();
  await execute('create table bench_users (n bigint primary key, id text not null)');
  await execute('insert into bench_users select row_number() over (order by id), id from users');
  const created = await execute(indexes);
  for (const { name } of created) await execute(`drop index ${name}`);
  const users = Number((await execute('select count(*) as users from bench_users'))[0]!.users);
  for (let from = 1; from <= events; from += BATCH) {
    await execute(createInsert({ from, to: Math.min(events, from + BATCH - 1), events, users, now }));
  }
  await execute(`insert into event_subjects (subject, sequence)
                 select 'user:' || id, ${Math.ceil(events / users)} + 1000 from bench_users`);
  await execute(
    `update event_chain set number = ${events}, digest = (select digest from events where number = ${events})`,
  );
  for (const { text } of created) await execute(text!);
  await execute('drop table bench_users');
  await execute(driver.finish);
  await driver.close();
}

function openSqlite(dataDir: string): Driver {
  const sqlite = new SQLite(join(dataDir, SQLITE_FILE));
  for (const setting of [
    'journal_mode = delete',
    'journal_mode = off',
    'synchronous = off',
    'cache_size = -500000',
    'threads = 2',
  ])
    sqlite.pragma(setting);
  return {
    execute: async (text) => {
      const statement = sqlite.prepare(text);
      if (statement.reader) return statement.all() as Record<string, string>[];
      statement.run();
      return [];
    },
    indexes:
      "select name, sql as text from sqlite_schema where type = 'index' and tbl_name = 'events' and sql is not null",
    finish: 'pragma journal_mode = wal',
    close: async () => {
      sqlite.close();
    },
  };
}

async function openPostgres(url: string): Promise<Driver> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set maintenance_work_mem = '1GB'");
  return {
    execute: async (text) => (await client.query(text)).rows,
    indexes: `select indexname as name, indexdef as text from pg_indexes
              where tablename = 'events' and indexname <> 'events_pkey'`,
    finish: 'vacuum (analyze) events',
    close: () => client.end(),
  };
}

interface Insert {
  readonly from: number;
  readonly to: number;
  readonly events: number;
  readonly users: number;
  /** Epoch milliseconds of the last event. */
  readonly now: number;
}

const SALT = 'q83vEjRWeJCrze8SNDIxMA';
/** With ten digits, as long as a digest. */
const DIGEST = 'mC5WeNq0yyAdpWqCpf0wG0dz1R0cOoRtq';

/**
 * Returns a statement that inserts events. 75 of 100 are logins and tokens of users, 10 failed logins, 5 changes by the
 * administrator.
 */
function createInsert({ from, to, events, users, now }: Insert): string {
  const age = `(${events} - i) * ${(AGE_DAYS * DAY) / events}`;
  const digest = `'${DIGEST}' || substr(cast(10000000000 + i as text), 2)`;
  const data = `'{"request_id":"01938c5e-7b10-7c1f-8a2b-3c4d5e6f7a8b"' `;
  return `
  with recursive n (i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${to}),
  mixed as (
    select i, i % 100 as kind,
           case when i % ${FIRST_USER_SHARE} = 17 then 1 else (i * 7919) % ${users} + 1 end as person,
           cast(${now} - ${age} as bigint) as created_at
    from n),
  named as (
    select i, created_at, id,
           case when i % 100000 = 99 then 'users.exported'
                when kind < 45 then 'login.succeeded' when kind < 60 then 'token.created'
                when kind < 75 then 'token.revoked' when kind < 85 then 'user.updated'
                when kind < 95 then 'login.failed' else 'user.updated' end as type,
           case when i % 100000 = 99 then 'users' when kind between 90 and 94 then null
                else 'user:' || id end as subject,
           case when kind < 85 then 'user' when kind < 95 then 'anonymous' else 'administrator' end as actor
    from mixed join bench_users on bench_users.n = mixed.person)
  insert into events (id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device, number,
                      sequence, content_hash, network_hash, device_hash, digest)
  select '01900000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), created_at, type, subject, actor,
         case actor when 'user' then id end,
         case type when 'login.failed' then 'failure' else 'success' end,
         case type when 'login.failed' then 'wrong_password' end,
         ${data} || case actor when 'administrator' then ',"actor_name":"console"}' else '}' end,
         case when created_at > ${now - ADDRESS_AGE_DAYS * DAY} then '{"salt":"${SALT}","value":"203.0.113.0/24"}' end,
         '{"salt":"${SALT}","value":"Firefox on Linux"}', i,
         case when subject is null then null else i / ${users} + 1 end,
         ${digest}, ${digest}, ${digest}, ${digest}
  from named`;
}

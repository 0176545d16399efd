/**
 * Millions of events with numbers, as years of use leave them behind. By the drivers themselves, because the
 * service limits the time of a statement.
 */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { DAY } from '../../src/lib/time.ts';
import type { SeededEngine } from './engines.ts';
import { SQLITE_FILE } from './seed.ts';

/** As long as a real one. */
const DIGEST = 'mC5WeNq0yyAdpWqCpf0wG0dz1R0cOoRtq0000000000';
/** Rows per statement. */
const BATCH = 100_000;
/** Days of the events. */
export const AGE_DAYS = 60;

/** Inserts events of all users, with numbers, into a database without events. No service may run. */
export async function seedEvents(seeded: SeededEngine, events: number, users: number): Promise<void> {
  const { execute, close } = await openDriver(seeded);
  const now = Date.now();
  await execute('create table bench_users (n bigint primary key, id text not null)');
  await execute('insert into bench_users select row_number() over (order by id), id from users');
  for (let from = 1; from <= events; from += BATCH)
    await execute(createInsert({ from, to: Math.min(events, from + BATCH - 1), events, users, now }));
  await execute(`insert into event_subjects (subject, sequence)
                 select 'user:' || id, ${Math.ceil(events / users)} + 1000 from bench_users`);
  await execute(
    `update event_chain set number = ${events}, digest = (select digest from events where number = ${events})`,
  );
  await execute('drop table bench_users');
  await execute('analyze events');
  await close();
}

/** Executes statements without a limit of their time, and on SQLite without durability. */
export async function openDriver({ databaseUrl, dataDir }: SeededEngine) {
  if (databaseUrl === null) {
    const sqlite = new SQLite(join(dataDir, SQLITE_FILE));
    sqlite.pragma('synchronous = off');
    return {
      execute: async (text: string) => void sqlite.exec(text),
      close: async () => void sqlite.close(),
    };
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return { execute: async (text: string) => void (await client.query(text)), close: () => client.end() };
}

/** Returns a statement that inserts events: logins and tokens of users, failed logins, changes by the administrator. */
function createInsert(range: {
  from: number;
  to: number;
  events: number;
  users: number;
  now: number;
}): string {
  const { from, to, events, users, now } = range;
  return `
  with recursive n (i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${to}),
  mixed as (
    select i, i % 100 as kind,
           case when i % 10000 = 17 then 1 else (i * 7919) % ${users} + 1 end as person,
           cast(${now} - (${events} - i) * ${(AGE_DAYS * DAY) / events} as bigint) as created_at
    from n),
  named as (
    select i, created_at, id,
           case when i % 100000 = 99 then 'users.exported'
                when kind < 45 then 'login.succeeded' when kind < 60 then 'token.created'
                when kind < 75 then 'token.revoked' when kind between 85 and 94 then 'login.failed'
                else 'user.updated' end as type,
           case when kind < 85 then 'user' when kind < 95 then 'anonymous' else 'administrator' end as actor
    from mixed join bench_users on bench_users.n = mixed.person)
  insert into events (id, created_at, type, subject, actor, actor_id, outcome, data, number, sequence,
                      content_hash, network_hash, device_hash, digest)
  select '01900000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), created_at, type,
         'user:' || id, actor, case actor when 'user' then id end,
         case type when 'login.failed' then 'failure' else 'success' end,
         '{"request_id":"01938c5e-7b10-7c1f-8a2b-3c4d5e6f7a8b"}', i, i / ${users} + 1,
         '${DIGEST}', '${DIGEST}', '${DIGEST}', '${DIGEST}'
  from named`;
}

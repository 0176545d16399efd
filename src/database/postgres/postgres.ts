/**
 * PostgreSQL engine, for several nodes on one database. Plain SQL only, for distributed databases that speak its
 * protocol.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  sql,
  type TextSearch,
  type Tx,
} from '../database.ts';
import { type SharedClock, startSharedClock } from '../shared-clock.ts';
import { createPool, getSqlState, lease, type PostgresConnection } from './connection.ts';
import { postgresLimits, READ_CLOCK } from './limits.ts';
import { createSharedLease } from './shared-lease.ts';

const QUERY_TIMEOUT_MS = 10_000;
/** Below the limit of a statement, so that a blocked transaction fails before clients stop waiting. */
const LOCK_TIMEOUT_MS = 5_000;
/** The server ends a transaction whose node is frozen or gone: its locks block other nodes. */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/** The same for migrations, whose lock keeps other nodes from starting. */
const IDLE_MIGRATION_TIMEOUT_MS = 60_000;
/** Shorter than the time-outs of usual readiness probes. */
const PING_TIMEOUT_MS = 2_000;
/** Reads that wait for each other on one connection. */
const MAX_SHARED = 16;
const RETRIES = 2;
const RETRY_PAUSE_MS = 20;

/** Serialisation failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);
/** Codes of creating a table that another node creates at the same moment. */
const ALREADY_EXISTS = new Set(['23505', '42P07', '42710']);

const dialect: Dialect = {
  engine: 'postgresql',
  text: 'text',
  key: 'text collate "C"',
  integer: 'bigint',
  float: 'double precision',
  bytes: 'bytea',
  tableOptions: '',
};

/** Creates the pool. Connections are opened when they are needed, so this cannot fail. */
export function openPostgres(url: string, poolSize: number): Database {
  const pool = createPool(url, { max: poolSize, ...TIMEOUTS });
  const reads = createReads(pool);
  let clock: SharedClock | null = null;

  return {
    kind: 'database',
    engine: 'postgresql',
    isShared: true,
    // They write: on a shared connection, each would wait for the flush of those before.
    sharedLimits: postgresLimits({
      get: (statement, ...values) => withLease(pool, (connection) => connection.get(statement, values)),
    }),
    readPool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    readVersion: null,
    location: describeLocation(url),
    dialect,
    textSearch: TEXT_SEARCH,
    transaction: (work) => transaction(pool, work),
    exclusively: (work) => exclusively(url, work),
    snapshot: (work) => readSnapshot(url, work),
    ...reads,
    ping: async () => {
      await lease(pool, (connection) => connection.ping(PING_TIMEOUT_MS));
    },
    hasTable: async (name) => (await reads.get(FIND_TABLE, name))!.found,
    startClock: async (onSkew) => {
      clock = await startSharedClock({ readTime: () => readClock(pool), onSkew });
      return clock.clock;
    },
    close: () => {
      clock?.close();
      return pool.end();
    },
  };
}

/** Reads of one row do not wait for those of several, such as a search. */
function createReads(pool: Pool): Pick<Database, 'get' | 'all'> {
  const shareForRow = createSharedLease(pool, MAX_SHARED);
  const shareForRows = createSharedLease(pool, MAX_SHARED);
  return {
    get: (statement, ...values) =>
      withRetries(() => shareForRow((connection) => connection.get(statement, values))),
    all: (statement, ...values) =>
      withRetries(() => shareForRows((connection) => connection.all(statement, values))),
  };
}

const TIMEOUTS = {
  query_timeout: QUERY_TIMEOUT_MS,
  statement_timeout: QUERY_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
};

/** Looks in the search path, as statements do that name no schema. */
const FIND_TABLE = sql<{ found: boolean }>('select to_regclass($1) is not null as found');

async function readClock(pool: Pool): Promise<number> {
  const options = { query_timeout: PING_TIMEOUT_MS };
  return (await lease(pool, (connection) => connection.get(READ_CLOCK, [], options)))!.now;
}

function transaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withLease(pool, (connection) => connection.transaction(work));
}

function withLease<T>(pool: Pool, use: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  return withRetries(() => lease(pool, use));
}

/**
 * Repeats `work` after a failure that only concurrency has caused. That of a read is a deadlock with a migration, which
 * locks the same tables in another order.
 */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!RETRYABLE.has(getSqlState(error))) throw error;
      if (attempt === RETRIES) throw new DatabaseUnavailable(error);
      await pause(Math.random() * RETRY_PAUSE_MS * 2 ** attempt);
    }
  }
}

/** Without time-outs of statements, because migrations may take long. A frozen node loses the lock. */
async function exclusively<T>(url: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const pool = createPool(url, {
    max: 1,
    idle_in_transaction_session_timeout: IDLE_MIGRATION_TIMEOUT_MS,
  });
  try {
    await createLock(pool);
    return await transaction(pool, async (tx) => {
      await tx.get(LOCK);
      return work(tx);
    });
  } finally {
    await pool.end();
  }
}

/** On a connection of its own, because the time-outs of the others are those of requests. */
async function readSnapshot<T>(url: string, work: (reader: Tx) => Promise<T>): Promise<T> {
  const pool = createPool(url, { max: 1 });
  return lease(pool, (connection) => connection.transaction(work, READ_SNAPSHOT)).finally(() => pool.end());
}

const READ_SNAPSHOT = 'begin isolation level repeatable read read only';

/** Serialises transactions over all nodes by locking one row until the commit. */
const LOCK = sql<unknown>('select id from frontdesk_lock where id = 1 for update');

async function createLock(pool: Pool): Promise<void> {
  const run = (text: string) => lease(pool, (connection) => connection.command(text));
  const insertRow = () => run('insert into frontdesk_lock (id) values (1) on conflict do nothing');
  try {
    await run('create table if not exists frontdesk_lock (id integer primary key)');
    await insertRow();
  } catch (error) {
    // Another node has created the table, its type or its catalogue entry at the same moment.
    if (!ALREADY_EXISTS.has(getSqlState(error))) throw error;
    await insertRow();
  }
}

function describeLocation(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL ${hostname}:${port || '5432'}${pathname}`;
}

/** Vacuuming removes deleted rows from the index. */
const TEXT_SEARCH: TextSearch = {
  find: sql(`
    select user_id as id from user_texts
    where text_trigrams(content) @> array(select json_array_elements_text(cast($1 as json)))
    limit $2`),
  purge: async () => {},
};

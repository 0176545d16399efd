/**
 * PostgreSQL engine, for several nodes on one database: a connection pool, named prepared statements, retries of
 * serialisation failures. Plain SQL only (no LISTEN, advisory locks or sequences), for the distributed databases
 * that speak its protocol.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  type Statement,
  sql,
  type Tx,
  UniqueViolation,
  type Value,
} from './database.ts';
import { postgresLimits } from './postgres-limits.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 10_000;
/** Shorter than the time-outs of usual readiness probes. */
const PING_TIMEOUT_MS = 2_000;
const RETRIES = 2;

const dialect: Dialect = {
  text: 'text',
  key: 'text collate "C"',
  integer: 'bigint',
  float: 'double precision',
  bytes: 'bytea',
  tableOptions: '',
};

/** The driver returns bigint as text by default; our integers (milliseconds, counts) are all safe as numbers. */
const INT8_OID = 20;
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** SQLSTATE classes and codes that mean "not now": connection, resources, shutdown, time-outs, standby. */
const UNAVAILABLE = /^(08|53|57P|57014|55P03|25P03|25P04|25006|58)/;
/** Those after which the connection is unusable: it ends, leads to a standby, or has plans of an older schema. */
const UNUSABLE = /^(08|57P|25P03|25P04|25006|0A000)/;
const RETRYABLE = new Set(['40001', '40P01']);
const UNIQUE = '23505';
/** Codes of creating a table that another node creates at the same moment. */
const ALREADY_EXISTS = new Set([UNIQUE, '42P07', '42710']);

/** Creates the pool. Connections are opened when they are needed, so this cannot fail. */
export function openPostgres(url: string, poolSize: number): Database {
  const pool = openPool(url, {
    max: poolSize,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
  });

  const get: Database['get'] = async (statement, ...values) =>
    (await lease(pool, (connection) => query(connection, statement, values))).rows[0];

  return {
    kind: 'database',
    isShared: true,
    sharedLimits: postgresLimits({ get }),
    location: describe(url),
    dialect,
    transaction: (work) => transaction(pool, work),
    exclusively: async (work) => {
      // Without time-outs: migrations, and waiting for another node to finish one, may take long.
      const unlimited = openPool(url, { max: 1 });
      return exclusively(unlimited, work).finally(() => unlimited.end());
    },
    get,
    all: async (statement, ...values) =>
      (await lease(pool, (connection) => query(connection, statement, values))).rows,
    ping: async () => {
      await lease(pool, (connection) =>
        send(connection, { text: 'select 1', query_timeout: PING_TIMEOUT_MS }),
      );
    },
    close: () => pool.end(),
  };
}

function openPool(url: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'frontdesk',
    types,
    ...options,
  });
  // The pool drops an idle connection that breaks; without a listener its error would end the process.
  pool.on('error', () => {});
  return pool;
}

/** A connection leased from the pool. */
interface Connection {
  readonly client: pg.PoolClient;
  /** Closed when it is released. */
  isBroken: boolean;
}

/** Leases a connection for `use`. @throws DatabaseUnavailable when there is none, whatever the server's error */
async function lease<T>(pool: pg.Pool, use: (connection: Connection) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw new DatabaseUnavailable(error);
  });
  const connection: Connection = { client, isBroken: false };
  // Without a listener, the error of a connection lost between two statements would end the process.
  const onError = () => {
    connection.isBroken = true;
  };
  client.on('error', onError);
  try {
    return await use(connection);
  } finally {
    client.off('error', onError);
    client.release(connection.isBroken);
  }
}

interface Query extends pg.QueryConfig {
  /** Milliseconds; replaces the time-out of the pool. */
  readonly query_timeout?: number;
}

async function send(connection: Connection, statement: Query): Promise<pg.QueryResult> {
  try {
    return await connection.client.query(statement);
  } catch (error) {
    connection.isBroken ||= !(error instanceof pg.DatabaseError) || UNUSABLE.test(error.code ?? '');
    throw translated(error);
  }
}

interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

function query<Row>(connection: Connection, statement: Statement<Row>, values: Value[]) {
  const { name, text } = statement;
  return send(connection, { name, text, values }) as unknown as Promise<Result<Row>>;
}

function transaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(() => runTransaction(pool, work));
}

function runTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return lease(pool, async (connection) => {
    try {
      await command(connection, 'begin');
      const result = await work(transactionOn(connection));
      // When `work` has ignored a failed statement, PostgreSQL responds to "commit" with a rollback.
      if ((await command(connection, 'commit')) !== 'COMMIT')
        throw new Error('The error of a failed statement was ignored');
      return result;
    } catch (error) {
      await rollBack(connection);
      throw error;
    }
  });
}

function transactionOn(connection: Connection): Tx {
  return {
    kind: 'transaction',
    get: async (statement, ...values) => (await query(connection, statement, values)).rows[0],
    all: async (statement, ...values) => (await query(connection, statement, values)).rows,
    run: async (statement, ...values) => (await query(connection, statement, values)).rowCount ?? 0,
  };
}

/** A broken connection is closed instead, which has the same effect and does not wait for a hanging server. */
async function rollBack(connection: Connection): Promise<void> {
  if (connection.isBroken) return;
  await command(connection, 'rollback').catch(() => {
    connection.isBroken = true;
  });
}

/** Returns the command tag of the response. */
async function command(connection: Connection, text: string): Promise<string> {
  return (await send(connection, { text })).command;
}

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!RETRYABLE.has(sqlState(error))) throw error;
      if (attempt === RETRIES) throw new DatabaseUnavailable(error);
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** Serialises `work` over all nodes by locking one row until the commit. */
async function exclusively<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const run = (text: string) => lease(pool, (connection) => command(connection, text));
  try {
    await run('create table if not exists frontdesk_lock (id integer primary key)');
    await run('insert into frontdesk_lock (id) values (1) on conflict do nothing');
  } catch (error) {
    // Another node has created the table, its type or its catalogue entry at the same moment.
    if (!ALREADY_EXISTS.has(sqlState(error))) throw error;
    await run('insert into frontdesk_lock (id) values (1) on conflict do nothing');
  }
  return transaction(pool, async (tx) => {
    await tx.get(LOCK);
    return work(tx);
  });
}

const LOCK = sql<unknown>('select id from frontdesk_lock where id = 1 for update');

function sqlState(error: unknown): string {
  const origin =
    error instanceof DatabaseUnavailable || error instanceof UniqueViolation ? error.cause : error;
  const code = (origin as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Errors of the driver without an SQLSTATE are those of the connection (refused, reset, timed out), or our own. */
function translated(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return error;
  if (error instanceof pg.DatabaseError) {
    if (error.code === UNIQUE) return new UniqueViolation(error);
    return UNAVAILABLE.test(error.code ?? '') ? new DatabaseUnavailable(error) : error;
  }
  return new DatabaseUnavailable(error);
}

function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL ${hostname}:${port || '5432'}${pathname}`;
}

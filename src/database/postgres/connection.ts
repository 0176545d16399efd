/** One leased connection to PostgreSQL: queries, transaction commands, translation of errors. */
import { Socket } from 'node:net';
import pg from 'pg';
import { getSharedSlot } from '../counters.ts';
import {
  DatabaseUnavailable,
  PermissionDenied,
  type Statement,
  sql,
  type Tx,
  UniqueViolation,
  type Value,
} from '../database.ts';
import { createTx } from '../guarded-tx.ts';
import { LateWrites } from '../late-writes.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** Timers that are so late show that this process, or its machine, has stood still. */
const STANDSTILL_MS = 100;
/** A lost peer is detected after this time and about ten seconds, also on an idle connection (TCP keep-alive). */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** SQLSTATE classes and codes that mean "not now": connection, resources, shutdown, time-outs, standby. */
const UNAVAILABLE = /^(08|53|57P|57014|55P03|25P03|25P04|25006|58)/;
/** Error codes after which the connection is unusable: it has ended, leads to a standby, or has plans of an older schema. */
const UNUSABLE = /^(08|57P|25P03|25P04|25006|0A000)/;
/** A prepared statement is missing, or exists already: another connection to the server than the last time. */
const OTHER_SESSION = /^(26000|42P05)$/;
const POOLER = 'Prepared statements were lost: a pooler in front of PostgreSQL has to use session mode';
const READ_ONLY = sql<{ value: string }>("select current_setting('transaction_read_only') as value");
const UNIQUE_VIOLATION = '23505';
const INSUFFICIENT_PRIVILEGE = '42501';

/** The driver returns bigint as text by default; our integers (milliseconds, counts) are all safe as numbers. */
const INT8_OID = 20;
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Sends the statements of one step of the program at once, because each message is a system call. */
class BatchingSocket extends Socket {
  /** Called by the driver after the messages of each statement. */
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

export function createPool(url: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'frontdesk',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types,
    // Sends a statement before the result of the one before has arrived, if the caller does not await it.
    pipeline: true,
    stream: () => new BatchingSocket(),
    ...options,
  });
  // The pool drops connections that break; without listeners their errors would end the process. One listener for the
  // life of a connection, because one for each lease costs as much as the rest of it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Leases a connection for `use`. @throws DatabaseUnavailable when there is none, whatever the server's error */
export async function lease<T>(pool: pg.Pool, use: (connection: PostgresConnection) => Promise<T>) {
  const client = await connect(pool).catch((error) => {
    throw new DatabaseUnavailable(error);
  });
  const connection = new PostgresConnection(client);
  try {
    return await use(connection);
  } finally {
    client.release(connection.isBroken);
  }
}

/**
 * Tries again after a standstill, in which the time-out has passed although the server may have responded. Rejects also
 * where the driver throws: for a certificate of the URL that cannot be read.
 */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const latest = performance.now() + CONNECT_TIMEOUT_MS + STANDSTILL_MS;
  return pool.connect().catch((error) => {
    if (performance.now() < latest) throw error;
    return pool.connect();
  });
}

interface QueryOptions {
  /** Milliseconds; replaces the time-out of the pool. */
  readonly query_timeout?: number;
}

export class PostgresConnection {
  readonly #client: pg.PoolClient;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  async get<Row>(
    statement: Statement<Row>,
    values: Value[],
    options: QueryOptions = {},
  ): Promise<Row | undefined> {
    return (await this.#query(statement, values, options)).rows[0];
  }

  async all<Row>(statement: Statement<Row>, values: Value[]): Promise<Row[]> {
    return (await this.#query(statement, values)).rows;
  }

  async run(statement: Statement<unknown>, values: Value[]): Promise<number> {
    return (await this.#query(statement, values)).rowCount ?? 0;
  }

  /** Executes a command without values and returns the command tag of the response. */
  async command(text: string, options: QueryOptions = {}): Promise<string> {
    // Other commands are not corked.
    return (await this.#send({ text, queryMode: 'extended', ...options })).command;
  }

  /** @throws DatabaseUnavailable also if the server is read-only, such as after a failover: the connection is closed */
  async ping(timeoutMs: number): Promise<void> {
    const row = await this.get(READ_ONLY, [], { query_timeout: timeoutMs });
    this.#isBroken ||= row?.value === 'on';
    if (this.#isBroken) throw new DatabaseUnavailable(new Error('The database server is read-only'));
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, begin = 'begin'): Promise<T> {
    let isOpen = true;
    try {
      // Travels with the first statement. If it fails, so does the connection, and with it the statement.
      const begun = this.command(begin);
      begun.catch(() => {});
      const late = new LateWrites();
      const tx = this.#toTx(late, () => isOpen);
      const result = await work(tx);
      // In this order the first error of the three is thrown.
      const [, , command] = await Promise.all([begun, late.write(tx), this.command('commit')]);
      // After a failed statement, PostgreSQL responds to "commit" with a rollback.
      if (command !== 'COMMIT') throw new Error('The error of a failed statement was ignored');
      return result;
    } catch (error) {
      isOpen = false;
      await this.#rollBack();
      throw error;
    } finally {
      isOpen = false;
    }
  }

  #toTx(late: LateWrites, isOpen: () => boolean): Tx {
    const get: Tx['get'] = (statement, ...values) => this.get(statement, values);
    const all: Tx['all'] = (statement, ...values) => this.all(statement, values);
    const run: Tx['run'] = (statement, ...values) => this.run(statement, values);
    return createTx({ get, all, run, ...getSharedSlot(), getChange: () => 0 }, late, isOpen);
  }

  /** A broken connection is closed instead, which has the same effect and does not wait for a hanging server. */
  async #rollBack(): Promise<void> {
    if (this.#isBroken) return;
    await this.command('rollback').catch(() => {
      this.#isBroken = true;
    });
  }

  #query<Row>({ name, text }: Statement<Row>, values: Value[], options: QueryOptions = {}) {
    const result: Promise<unknown> = this.#send({ name, text, values, ...options });
    return result as Promise<{ readonly rows: Row[]; readonly rowCount: number | null }>;
  }

  async #send(query: pg.QueryConfig & QueryOptions & { queryMode?: 'extended' }): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      this.#isBroken ||= !(error instanceof pg.DatabaseError) || UNUSABLE.test(error.code ?? '');
      throw translated(error);
    }
  }
}

/** Errors of the driver without an SQLSTATE are those of the connection (refused, reset, timed out), or our own. */
function translated(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
    return error;
  if (error instanceof pg.DatabaseError) {
    if (error.code === UNIQUE_VIOLATION) return new UniqueViolation(error);
    if (error.code === INSUFFICIENT_PRIVILEGE) return new PermissionDenied(error);
    if (OTHER_SESSION.test(error.code ?? ''))
      return new DatabaseUnavailable(new Error(POOLER, { cause: error }));
    return UNAVAILABLE.test(error.code ?? '') ? new DatabaseUnavailable(error) : error;
  }
  return new DatabaseUnavailable(error);
}

export function getSqlState(error: unknown): string {
  const origin =
    error instanceof DatabaseUnavailable || error instanceof UniqueViolation ? error.cause : error;
  return origin instanceof pg.DatabaseError ? (origin.code ?? '') : '';
}

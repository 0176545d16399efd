/**
 * SQLite engine: one writer and one reader in WAL mode; acknowledged writes survive a power failure (synchronous=FULL).
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { CounterChanges } from '../counters.ts';
import {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  type Statement,
  sql,
  type Tx,
} from '../database.ts';
import { SqliteConnection } from './connection.ts';
import { SqliteFile } from './file.ts';
import { textSearch } from './text-search.ts';

/** Interval and total time of retries while another program holds the lock. */
const BUSY_PAUSE_MS = 10;
const LOCK_WAIT_MS = 2_500;

const dialect: Dialect = {
  engine: 'sqlite',
  text: 'text',
  key: 'text',
  integer: 'integer',
  float: 'real',
  bytes: 'blob',
  tableOptions: 'strict, without rowid',
};

/** Opens the file, creating it when it is new. @throws DatabaseUnavailable naming a file that cannot be used */
export function openSqlite(path: string): Database {
  const file = openFile(path);
  const { reader } = file;
  const { transaction, finished } = createQueue(file);
  const get: Database['get'] = async (statement, ...values) => reader.get(statement, values);
  return {
    kind: 'database',
    engine: 'sqlite',
    isShared: false,
    sharedLimits: null,
    readPool: null,
    readVersion: () => reader.get(DATA_VERSION, [])!.data_version,
    location: path,
    dialect,
    transaction,
    exclusively: transaction,
    snapshot: (work) => readSnapshot(path, work),
    textSearch: textSearch({ get, transaction }),
    get,
    all: async (statement, ...values) => reader.all(statement, values),
    ping: async () => {
      file.check();
      // Repeats the statement that met the damage first, because that empties the page cache.
      reader.recheck();
      reader.readTables();
      if (file.writer.isDamaged) await recheckWriter(file.writer, transaction);
    },
    hasTable: async (name) => reader.get(FIND_TABLE, [name]) !== undefined,
    // One process has the file to itself.
    startClock: async () => Date.now,
    close: async () => {
      await finished();
      file.close();
    },
  };
}

function createQueue(file: SqliteFile) {
  let writing: Promise<unknown> = Promise.resolve();
  let unfinished = 0;
  const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    // Starts now, so that the waits of queued transactions do not add up.
    const deadline = performance.now() + LOCK_WAIT_MS;
    // Other requests are processed in between: a queue of commits that wait for the disk would stop the event loop.
    const turn = unfinished++ === 0 ? writing : writing.then(() => nextTurn());
    const result = turn.then(() => runTransaction(file, work, deadline)).finally(() => unfinished--);
    writing = result.catch(() => {});
    return result;
  };
  return { transaction, finished: () => writing };
}

/** Changes with the commits of other connections: this one only reads. */
const DATA_VERSION: Statement<{ data_version: number }> = { name: 'version', text: 'pragma data_version' };

const FIND_TABLE = sql("select name from sqlite_schema where type = 'table' and name = $1");

function openFile(path: string): SqliteFile {
  try {
    return new SqliteFile(path);
  } catch (error) {
    throw new DatabaseUnavailable(new Error(`${path}: ${(error as Error).message}`, { cause: error }));
  }
}

/** On a connection of its own: its transaction lasts as long as `work`. */
async function readSnapshot<T>(path: string, work: (reader: Tx) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(path, { fileMustExist: true, readOnly: true });
  try {
    connection.run(BEGIN_READING, []);
    return await work(toTx(connection, new CounterChanges()));
  } finally {
    connection.close();
  }
}

const BEGIN_READING: Statement<unknown> = { name: 'begin reading', text: 'begin' };

const BEGIN: Statement<unknown> = { name: 'begin', text: 'begin immediate' };
const COMMIT: Statement<unknown> = { name: 'commit', text: 'commit' };
const ROLLBACK: Statement<unknown> = { name: 'rollback', text: 'rollback' };

async function runTransaction<T>(
  file: SqliteFile,
  work: (tx: Tx) => Promise<T>,
  deadline: number,
): Promise<T> {
  file.check();
  const { writer } = file;
  await begin(writer, deadline);
  const counters = new CounterChanges();
  const tx = toTx(writer, counters);
  try {
    const result = await work(tx);
    // There is one writer: more slots would only make more rows.
    await counters.write(tx, 0);
    writer.run(COMMIT, []);
    return result;
  } catch (error) {
    // Some failures (disk full, I/O) have rolled back already; a second rollback would hide the first error.
    if (writer.inTransaction) writer.run(ROLLBACK, []);
    throw error;
  }
}

function toTx(connection: SqliteConnection, counters: CounterChanges): Tx {
  return {
    kind: 'transaction',
    get: async (statement, ...values) => connection.get(statement, values),
    all: async (statement, ...values) => connection.all(statement, values),
    run: async (statement, ...values) => connection.run(statement, values),
    count: (name, period, change) => counters.add(name, period, change),
  };
}

/** Waits for the lock of another process, such as a backup, without blocking; tries once after the deadline. */
async function begin(writer: SqliteConnection, deadline: number): Promise<void> {
  for (;;) {
    try {
      writer.run(BEGIN, []);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await pause(BUSY_PAUSE_MS);
    }
  }
}

/** Whether a retry may help, as opposed to a full disk or a read-only or damaged file. */
function isBusy(error: unknown): boolean {
  const code = error instanceof DatabaseUnavailable ? (error.cause as { code?: string })?.code : '';
  return /^SQLITE_(BUSY|LOCKED)/.test(code ?? '');
}

class RolledBack extends Error {}

/** Repeats the write that found damage in a transaction that is rolled back. @throws DatabaseUnavailable */
async function recheckWriter(writer: SqliteConnection, transaction: Database['transaction']): Promise<void> {
  const attempt = transaction(async () => {
    writer.recheck();
    throw new RolledBack();
  });
  await attempt.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}

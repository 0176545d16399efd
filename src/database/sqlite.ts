/**
 * SQLite: one writer, one reader, in WAL mode. A read never waits for a write and never sees an uncommitted
 * one; an acknowledged write survives a power cut (synchronous=FULL).
 */
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  type Statement,
  type Tx,
  UniqueViolation,
  type Value,
} from './database.ts';

/** How long the process may stand still for another program's lock: at its start and for a read, never for a write. */
const BUSY_TIMEOUT_MS = 50;
/** How often a write looks whether the lock has gone, and when it gives up. */
const BUSY_PAUSE_MS = 10;
const LOCK_WAIT_MS = 2_500;

const dialect: Dialect = {
  text: 'text',
  key: 'text',
  integer: 'integer',
  float: 'real',
  bytes: 'blob',
  tableOptions: 'strict, without rowid',
};

/** Codes that say "not now" (locked, full, gone, damaged), as opposed to "this statement is wrong". */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT|NOMEM|PROTOCOL)/;

/** Opens the file, creating it when it is new. @throws DatabaseUnavailable naming a file that cannot be used */
export function openSqlite(file: string): Database {
  const connections = connect(file);
  let writing: Promise<unknown> = Promise.resolve();

  const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    // From here on, so that the waits of those who stand in line do not add up.
    const deadline = performance.now() + LOCK_WAIT_MS;
    const result = writing.then(() => runTransaction(connections, work, deadline));
    writing = result.catch(() => {});
    return result;
  };

  return {
    kind: 'database',
    isShared: false,
    sharedLimits: null,
    location: file,
    dialect,
    transaction,
    exclusively: transaction,
    get: async (statement, ...values) => connections.reader.get(statement, values),
    all: async (statement, ...values) => connections.reader.all(statement, values),
    ping: async () => {
      connections.checkFile();
      connections.reader.get(PING, []);
    },
    close: async () => {
      await writing;
      connections.close();
    },
  };
}

function connect(file: string): Connections {
  try {
    return new Connections(file);
  } catch (error) {
    throw new DatabaseUnavailable(new Error(`${file}: ${(error as Error).message}`, { cause: error }));
  }
}

const PING: Statement<unknown> = { name: 'ping', text: 'select 1 as one' };
const BEGIN: Statement<unknown> = { name: 'begin', text: 'begin immediate' };
const COMMIT: Statement<unknown> = { name: 'commit', text: 'commit' };
const ROLLBACK: Statement<unknown> = { name: 'rollback', text: 'rollback' };

async function runTransaction<T>(
  connections: Connections,
  work: (tx: Tx) => Promise<T>,
  deadline: number,
): Promise<T> {
  connections.checkFile();
  const writer = connections.writer;
  await begin(writer, deadline);
  const tx: Tx = {
    kind: 'transaction',
    get: async (statement, ...values) => writer.get(statement, values),
    all: async (statement, ...values) => writer.all(statement, values),
    run: async (statement, ...values) => writer.run(statement, values),
  };
  try {
    const result = await work(tx);
    writer.run(COMMIT, []);
    return result;
  } catch (error) {
    // Some failures (disk full, I/O) have rolled back already; a second rollback would hide the first error.
    if (writer.inTransaction) writer.run(ROLLBACK, []);
    throw error;
  }
}

/**
 * Another process (a backup, the operator's shell) may hold the lock: wait for it without standing still. Who has
 * stood in line too long already asks once more, which costs nothing: the line may have been long for other reasons.
 */
async function begin(writer: Connection, deadline: number): Promise<void> {
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

/** As opposed to full, read-only or damaged, which asking again does not mend. */
function isBusy(error: unknown): boolean {
  const code = error instanceof DatabaseUnavailable ? (error.cause as { code?: string })?.code : '';
  return /^SQLITE_(BUSY|LOCKED)/.test(code ?? '');
}

/** The two connections of the file, and whether its name still leads to it. */
class Connections {
  readonly writer: Connection;
  readonly reader: Connection;
  readonly #file: string;
  readonly #inode: number;

  constructor(file: string) {
    this.#file = file;
    this.writer = new Connection(file, { fileMustExist: false, readOnly: false });
    this.reader = new Connection(file, { fileMustExist: true, readOnly: true });
    this.#inode = statSync(file).ino;
  }

  /**
   * Writes into a file that was moved away or deleted would be acknowledged and lost, so this is asked before
   * each transaction. Another file in its place is not taken up: its journal would be mixed with ours.
   */
  checkFile(): void {
    const inode = this.#inodeNow();
    if (inode === this.#inode) return;
    const what =
      inode === undefined ? 'is gone: put it back' : 'was replaced by another file: restart to use it';
    throw new DatabaseUnavailable(`${this.#file} ${what}`);
  }

  /** Undefined when there is no file. A folder on the way to it may also have become closed, or no folder. */
  #inodeNow(): number | undefined {
    try {
      return statSync(this.#file, { throwIfNoEntry: false })?.ino;
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  /** Of a file that was moved away SQLite would leave the journal behind, for the next file of that name. */
  close(): void {
    this.reader.close();
    this.writer.emptyJournal();
    this.writer.close();
  }
}

class Connection {
  readonly #sqlite: SQLite.Database;
  readonly #prepared = new Map<string, Prepared>();

  constructor(file: string, options: { fileMustExist: boolean; readOnly: boolean }) {
    this.#sqlite = new SQLite(file, { fileMustExist: options.fileMustExist, timeout: BUSY_TIMEOUT_MS });
    this.#sqlite.pragma('journal_mode = WAL');
    this.#sqlite.pragma('synchronous = FULL');
    this.#sqlite.pragma('foreign_keys = ON');
    // The driver waits for a lock by stopping the whole process: each write in line would stop it once.
    this.#sqlite.pragma(options.readOnly ? 'query_only = ON' : 'busy_timeout = 0');
  }

  get inTransaction(): boolean {
    return this.#sqlite.inTransaction;
  }

  get<Row>(statement: Statement<Row>, values: Value[]): Row | undefined {
    try {
      const { prepared, order } = this.#prepare(statement);
      return prepared.get(...inOrder(values, order)) as Row | undefined;
    } catch (error) {
      throw translated(error);
    }
  }

  all<Row>(statement: Statement<Row>, values: Value[]): Row[] {
    try {
      const { prepared, order } = this.#prepare(statement);
      return prepared.all(...inOrder(values, order)) as Row[];
    } catch (error) {
      throw translated(error);
    }
  }

  run(statement: Statement<unknown>, values: Value[]): number {
    try {
      const { prepared, order } = this.#prepare(statement);
      return prepared.run(...inOrder(values, order)).changes;
    } catch (error) {
      throw translated(error);
    }
  }

  /** Moves what is in the journal into the file; where that fails, the journal keeps it. */
  emptyJournal(): void {
    try {
      this.#sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#sqlite.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Closing goes on: nothing is lost, the next start reads the journal.
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  #prepare(statement: Statement<unknown>): Prepared {
    const known = this.#prepared.get(statement.name);
    if (known !== undefined) return known;
    const order: number[] = [];
    const text = statement.text.replace(/\$(\d+)/g, (_, position: string) => {
      order.push(Number(position) - 1);
      return '?';
    });
    const ascending = order.every((position, index) => position === index);
    const entry: Prepared = { prepared: this.#sqlite.prepare(text), order: ascending ? null : order };
    this.#prepared.set(statement.name, entry);
    return entry;
  }
}

interface Prepared {
  readonly prepared: SQLite.Statement;
  /** Which value stands at which `?`; null when they stand in order, as they mostly do. */
  readonly order: readonly number[] | null;
}

function inOrder(values: Value[], order: readonly number[] | null): Value[] {
  return order === null ? values : order.map((position) => values[position] ?? null);
}

function translated(error: unknown): unknown {
  const code = error instanceof SQLite.SqliteError ? error.code : '';
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new UniqueViolation(error);
  }
  return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error) : error;
}

/** One connection to a SQLite file: settings, prepared statements, errors. */
import SQLite from 'better-sqlite3';
import { DatabaseUnavailable, type Statement, UniqueViolation, type Value } from '../database.ts';

/** Milliseconds for which a read, or opening the file, may block the process for another program's lock. */
const BUSY_TIMEOUT_MS = 50;

/** Error codes that mean "not now" (locked, full, missing, damaged), as opposed to a wrong statement. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT|NOMEM|PROTOCOL)/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;

const TABLES: Statement<{ name: string }> = {
  name: 'tables',
  text: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
};

interface Prepared {
  readonly prepared: SQLite.Statement;
  /** Position of the value for each `?`; null when they are in order, as in most statements. */
  readonly order: readonly number[] | null;
}

interface SqliteError {
  readonly statement: Statement<unknown>;
  readonly values: Value[];
}

export class SqliteConnection {
  readonly #sqlite: SQLite.Database;
  readonly #prepared = new Map<string, Prepared>();
  #copies: 'file' | 'memory' | null = null;
  #damage: SqliteError | null = null;
  #firstRows: Statement<unknown> | undefined;

  constructor(file: string, options: { fileMustExist: boolean; readOnly: boolean }) {
    this.#sqlite = new SQLite(file, { fileMustExist: options.fileMustExist, timeout: BUSY_TIMEOUT_MS });
    this.#sqlite.pragma('journal_mode = WAL');
    this.#sqlite.pragma('synchronous = FULL');
    this.#sqlite.pragma('foreign_keys = ON');
    if (options.readOnly) this.#sqlite.pragma('query_only = ON');
    else this.#prepareToWrite();
  }

  #prepareToWrite(): void {
    // The driver waits for a lock by blocking the process: each queued write would block it once.
    this.#sqlite.pragma('busy_timeout = 0');
    // Erased users would otherwise stay in the file until something else is written to the same place.
    this.#sqlite.pragma('secure_delete = ON');
  }

  /**
   * Decides where copies of pages are kept for savepoints and statements that may have to be taken back: in a file from
   * 64 KiB, or always in memory. Takes effect with the next transaction.
   */
  keepCopiesIn(place: 'file' | 'memory'): void {
    if (place !== this.#copies) this.#sqlite.pragma(`temp_store = ${place}`);
    this.#copies = place;
  }

  get inTransaction(): boolean {
    return this.#sqlite.inTransaction;
  }

  /** Whether a statement has failed because the file is damaged, and has not succeeded in `recheck` since. */
  get isDamaged(): boolean {
    return this.#damage !== null;
  }

  get<Row>(statement: Statement<Row>, values: Value[]): Row | undefined {
    return this.#execute(statement, values, getRow) as Row | undefined;
  }

  all<Row>(statement: Statement<Row>, values: Value[]): Row[] {
    return this.#execute(statement, values, allRows) as Row[];
  }

  run(statement: Statement<unknown>, values: Value[]): number {
    return this.#execute(statement, values, changedRows);
  }

  /** Executes a statement that begins or ends a transaction or a part of it, which `recheck` does not repeat. */
  control(statement: Statement<unknown>): void {
    try {
      this.#prepare(statement).prepared.run();
    } catch (error) {
      throw translated(error);
    }
  }

  /** Reads the first page of every table. @throws DatabaseUnavailable when the file is damaged there */
  readTables(): void {
    this.#firstRows ??= firstRows(this.all(TABLES, []));
    this.get(this.#firstRows, []);
  }

  /** Repeats the last statement that failed because of damage. @throws DatabaseUnavailable if it fails again */
  recheck(): void {
    if (this.#damage === null) return;
    const { statement, values } = this.#damage;
    // Damaged pages stay in the page cache after the file was repaired.
    this.#sqlite.pragma('shrink_memory');
    try {
      this.#execute(statement, values, repeat);
    } catch (error) {
      // Any other error, such as a unique violation, comes after the pages have been read.
      if (error instanceof DatabaseUnavailable) throw error;
    }
    this.#damage = null;
  }

  /** Moves the journal into the file. Where that fails, the journal keeps its content for the next start. */
  emptyJournal(): void {
    try {
      this.#sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      this.#sqlite.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Nothing is lost: the connection is closed all the same.
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  #execute<T>(
    statement: Statement<unknown>,
    values: Value[],
    use: (prepared: SQLite.Statement, values: Value[]) => T,
  ): T {
    try {
      const { prepared, order } = this.#prepare(statement);
      return use(prepared, inOrder(values, order));
    } catch (error) {
      if (DAMAGED.test(getErrorCode(error))) this.#damage = { statement, values };
      throw translated(error);
    }
  }

  #prepare(statement: Statement<unknown>): Prepared {
    const known = this.#prepared.get(statement.name);
    if (known !== undefined) return known;
    const { text, order } = toSqliteText(statement.text);
    const ascending = order.every((position, index) => position === index);
    const entry: Prepared = { prepared: this.#sqlite.prepare(text), order: ascending ? null : order };
    this.#prepared.set(statement.name, entry);
    return entry;
  }
}

/**
 * Returns the text with a `?` for each value, and the positions of these values. SQLite compiles a statement anew for
 * each execution if a limit or a pattern is a parameter, but not if it is an expression.
 */
export function toSqliteText(text: string): { text: string; order: number[] } {
  const order: number[] = [];
  const replaced = text.replace(
    /(limit |like )?\$(\d+)/gi,
    (_, word: string | undefined, position: string) => {
      order.push(Number(position) - 1);
      return word === undefined ? '?' : `${word}+?`;
    },
  );
  return { text: replaced, order };
}

const getRow = (prepared: SQLite.Statement, values: Value[]) => prepared.get(...values);
const allRows = (prepared: SQLite.Statement, values: Value[]) => prepared.all(...values);
const changedRows = (prepared: SQLite.Statement, values: Value[]) => prepared.run(...values).changes;
const repeat = (prepared: SQLite.Statement, values: Value[]) =>
  prepared.reader ? prepared.all(...values) : prepared.run(...values);

/** One statement, because one for each table takes ten times as long. `not indexed` reads the table's b-tree. */
function firstRows(tables: readonly { name: string }[]): Statement<unknown> {
  const reads = tables.map(({ name }) => `exists (select * from "${name}" not indexed)`);
  return { name: 'first rows', text: `select ${['1', ...reads].join(' + ')}` };
}

function inOrder(values: Value[], order: readonly number[] | null): Value[] {
  return order === null ? values : order.map((position) => values[position] ?? null);
}

const getErrorCode = (error: unknown): string => (error instanceof SQLite.SqliteError ? error.code : '');

function translated(error: unknown): unknown {
  const code = getErrorCode(error);
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new UniqueViolation(error);
  }
  return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error) : error;
}

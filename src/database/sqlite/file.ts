/**
 * The two connections to a SQLite file, the check that its name still refers to the file they have open, and the lock by
 * which one process serves it: the system releases it with the process.
 */
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { DatabaseUnavailable } from '../database.ts';
import { SqliteConnection } from './connection.ts';

export class SqliteFile {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  readonly #file: string;
  readonly #inode: number;

  constructor(file: string) {
    this.#file = file;
    this.writer = new SqliteConnection(file, { fileMustExist: false, readOnly: false });
    this.reader = new SqliteConnection(file, { fileMustExist: true, readOnly: true });
    this.#inode = statSync(file).ino;
  }

  /** Checks that the file was not moved or replaced: writes would be lost. @throws DatabaseUnavailable */
  check(): void {
    const inode = this.#currentInode();
    if (inode === this.#inode) return;
    const what =
      inode === undefined ? 'is gone: put it back' : 'was replaced by another file: restart to use it';
    throw new DatabaseUnavailable(`${this.#file} ${what}`);
  }

  /** Returns undefined when there is no file. Other errors: an unreadable directory, a circular link. */
  #currentInode(): number | undefined {
    try {
      return statSync(this.#file, { throwIfNoEntry: false })?.ino;
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  /** Empties the journal, because SQLite leaves that of a moved file behind for the next file of that name. */
  close(): void {
    this.reader.close();
    this.writer.emptyJournal();
    this.writer.close();
  }
}

/** Locks by file name: a lock belongs to the process, so services in one process share it. */
const held = new Map<string, { readonly connection: SQLite.Database; holders: number }>();

/** Locks the database `file`, and returns the function that unlocks it. @throws DatabaseUnavailable */
export function lockSqlite(file: string): () => void {
  const lockFile = `${realFile(file)}-lock`;
  const lock = held.get(lockFile) ?? { connection: acquire(file, lockFile), holders: 0 };
  held.set(lockFile, lock);
  lock.holders++;
  return () => {
    lock.holders--;
    if (lock.holders > 0) return;
    held.delete(lockFile);
    lock.connection.close();
  };
}

/** Resolves links, so that all names of a file have one lock. */
function realFile(file: string): string {
  try {
    // Creates the target of a dangling link. Not when it exists: closing an open file releases its POSIX locks.
    if (!existsSync(file)) closeSync(openSync(file, 'a'));
    return realpathSync(file);
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/** Opens a transaction that writes nothing and never ends: only an empty file reaches the disk. */
function acquire(file: string, lockFile: string): SQLite.Database {
  let connection: SQLite.Database | undefined;
  try {
    connection = new SQLite(lockFile, { timeout: 0 });
    // On a read-only file, SQLite would return a lock that does not exclude other processes.
    accessSync(lockFile, constants.W_OK);
    connection.exec('pragma journal_mode = memory; begin exclusive');
    return connection;
  } catch (error) {
    connection?.close();
    throw new DatabaseUnavailable(new Error(reason(error as Error, file, lockFile), { cause: error }));
  }
}

function reason(error: Error, file: string, lockFile: string): string {
  const isHeld = error instanceof SQLite.SqliteError && error.code === 'SQLITE_BUSY';
  return isHeld ? `${file} is in use by another Frontdesk process` : `${lockFile}: ${error.message}`;
}

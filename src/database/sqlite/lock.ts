/** Ensures that one process serves a SQLite file, by a lock that the system releases with the process. */
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { DatabaseUnavailable } from '../database.ts';

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

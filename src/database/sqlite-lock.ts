/**
 * One process per SQLite file. Kept by a lock on a file beside it, which the system takes back from a process that
 * ends in whatever way, and which leaves the database itself open to backups and the operator's shell.
 */
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { DatabaseUnavailable } from './database.ts';

interface Lock {
  readonly connection: SQLite.Database;
  holders: number;
}

/** By the name of the lock file: the lock is the process's, so services that share the process share it. */
const held = new Map<string, Lock>();

/**
 * Holds the database `file`, which need not exist yet, for this process, and gives the function that lets go.
 * @throws DatabaseUnavailable when another process holds it or nothing can be written there
 */
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

/** Two names of one file (a link to it, or to its folder) need one lock. */
function realFile(file: string): string {
  try {
    // A link may lead to a file that is yet to be made. Only then: closing a file that is open takes back its locks.
    if (!existsSync(file)) closeSync(openSync(file, 'a'));
    return realpathSync(file);
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/** A transaction that is never written to nor ended: nothing of it reaches the disk but an empty file. */
function acquire(file: string, lockFile: string): SQLite.Database {
  let connection: SQLite.Database | undefined;
  try {
    connection = new SQLite(lockFile, { timeout: 0 });
    // Of a file that cannot be written SQLite would give a lock that keeps nobody out.
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

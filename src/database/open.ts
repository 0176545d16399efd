/** Opens the database that the settings name. */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Database, DatabaseUnavailable } from './database.ts';
import { lockSqlite } from './sqlite/file.ts';
import { openSqlite } from './sqlite/sqlite.ts';

export interface DatabaseSettings {
  /** `postgres://…`, or null for SQLite. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly databasePool: number;
}

/** Opens the database for a command of the operator, also while a service runs. @throws DatabaseUnavailable */
export function openDatabase({ databaseUrl, dataDir, databasePool }: DatabaseSettings): Database {
  if (databaseUrl === null) return openSqlite(sqliteFile(dataDir));
  // Loaded only when used, because loading the PostgreSQL driver slows down a start on SQLite.
  const { openPostgres } = require('./postgres/postgres.ts') as typeof import('./postgres/postgres.ts');
  return openPostgres(databaseUrl, databasePool);
}

/** Opens the database for a service. @throws DatabaseUnavailable when another process serves the SQLite file */
export function openDatabaseToServe(settings: DatabaseSettings): Database {
  if (settings.databaseUrl !== null) return openDatabase(settings);
  const release = lockSqlite(sqliteFile(settings.dataDir));
  try {
    const database = openDatabase(settings);
    return { ...database, close: () => database.close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Returns whether the database exists: opening a file that does not exist creates it. @throws DatabaseUnavailable when
 * that cannot be known, such as in a directory of another user
 */
export function isCreated({ databaseUrl, dataDir }: Omit<DatabaseSettings, 'databasePool'>): boolean {
  try {
    return databaseUrl !== null || statSync(sqliteFile(dataDir), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/** Whether the connection to the database leaves this machine unencrypted. */
export function isExposed({ databaseUrl }: Pick<DatabaseSettings, 'databaseUrl'>): boolean {
  if (databaseUrl === null) return false;
  const { connectsWithoutTls } = require('./postgres/tls.ts') as typeof import('./postgres/tls.ts');
  return connectsWithoutTls(databaseUrl);
}

const require = createRequire(import.meta.url);

/** Returns the path of the SQLite file. */
export const sqliteFile = (dataDir: string): string => join(dataDir, 'frontdesk.db');

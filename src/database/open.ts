/** From settings to an engine. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';
import { lockSqlite } from './sqlite-lock.ts';

export interface DatabaseSettings {
  /** `postgres://…`, or null for SQLite. */
  readonly databaseUrl: string | null;
  /** The folder of the SQLite file. */
  readonly dataDir: string;
  /** Connections to PostgreSQL at most. */
  readonly databasePool: number;
}

/** For single transactions, such as an operator's command, also while a service runs. @throws DatabaseUnavailable */
export function openDatabase({ databaseUrl, dataDir, databasePool }: DatabaseSettings): Database {
  if (databaseUrl === null) return openSqlite(sqliteFile(dataDir));
  // Loaded only where it is used: a start on SQLite does not pay for the driver of PostgreSQL.
  const { openPostgres } = require('./postgres.ts') as typeof import('./postgres.ts');
  return openPostgres(databaseUrl, databasePool);
}

/** For a service, until it closes: on SQLite the only one. @throws DatabaseUnavailable when it is not the only one */
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

const require = createRequire(import.meta.url);

function sqliteFile(dataDir: string): string {
  return join(dataDir, 'frontdesk.db');
}

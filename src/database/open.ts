/** From settings to an engine. */
import { join } from 'node:path';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export interface DatabaseSettings {
  /** `postgres://…`, or null for SQLite. */
  readonly databaseUrl: string | null;
  /** The folder of the SQLite file. */
  readonly dataDir: string;
  /** Connections to PostgreSQL at most. */
  readonly databasePool: number;
}

export function openDatabase({ databaseUrl, dataDir, databasePool }: DatabaseSettings): Database {
  return databaseUrl === null
    ? openSqlite(join(dataDir, 'frontdesk.db'))
    : openPostgres(databaseUrl, databasePool);
}

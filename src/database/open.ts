/** From settings to an engine. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';

export interface DatabaseSettings {
  /** `postgres://…`, or null for SQLite. */
  readonly databaseUrl: string | null;
  /** The folder of the SQLite file. */
  readonly dataDir: string;
  /** Connections to PostgreSQL at most. */
  readonly databasePool: number;
}

const require = createRequire(import.meta.url);

export function openDatabase({ databaseUrl, dataDir, databasePool }: DatabaseSettings): Database {
  if (databaseUrl === null) return openSqlite(join(dataDir, 'frontdesk.db'));
  // Loaded only where it is used: a start on SQLite does not pay for the driver of PostgreSQL.
  const { openPostgres } = require('./postgres.ts') as typeof import('./postgres.ts');
  return openPostgres(databaseUrl, databasePool);
}

/** Databases with the current schema, which services under test copy: faster than the migration of an empty one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../../src/database/migrate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { migrations as next } from '../next-release/migrations.ts';
import { NEXT_SCHEMA } from '../next-release/next-release.ts';
import {
  createTestDatabase,
  POSTGRES_TEMPLATE,
  SQLITE_FILE,
  SQLITE_TEMPLATE,
  STOPPED_CLOCK,
} from './engines.ts';

export interface Templates {
  /** Environment variables by which the tests find them. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

/** Creates the template of SQLite, and that of PostgreSQL if TEST_POSTGRES_URL is set. */
export async function createTemplates(): Promise<Templates> {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-template-'));
  await migrateDatabase(null, directory);
  const environment: Record<string, string> = { [SQLITE_TEMPLATE]: join(directory, SQLITE_FILE) };
  if (process.env.TEST_POSTGRES_URL !== undefined) {
    const { url, directory: unused } = await createTestDatabase('postgres');
    rmSync(unused, { recursive: true });
    await migrateDatabase(url, directory);
    await createStoppedClock(url!);
    environment[POSTGRES_TEMPLATE] = new URL(url!).pathname.slice(1);
  }
  return { environment, remove: () => rmSync(directory, { recursive: true }) };
}

async function createStoppedClock(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const now = new Date().toISOString();
  await client.query(`
    create schema ${STOPPED_CLOCK};
    create function ${STOPPED_CLOCK}.clock_timestamp() returns timestamptz
      language sql stable return timestamptz '${now}'`);
  await client.end();
}

async function migrateDatabase(databaseUrl: string | null, dataDir: string): Promise<void> {
  const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
  await migrate(database);
  if (process.env[NEXT_SCHEMA] !== undefined) await migrate(database, next);
  // Closing a SQLite database moves everything into its file.
  await database.close();
}

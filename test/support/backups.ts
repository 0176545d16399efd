/** Backups of test databases. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { readPages } from '../../src/database/tables.ts';
import { listStoredTables, SESSION_TABLES } from '../../src/features/backups/format/manifest.ts';
import { toEnvironment } from './environment.ts';
import { run } from './processes/commands.ts';
import { ENGINES, type Engine, type TestDatabase } from './runner/engines.ts';

export const SECRET_KEY = 'a-secret-key-of-more-than-32-characters';

/** The other engine if the tests run on both, else the same one. */
export function otherEngine(engine: Engine): Engine {
  return ENGINES.find((other) => other !== engine) ?? engine;
}

/** Runs `backup <args>` with the database. */
export function runBackup(
  testDatabase: TestDatabase,
  args: readonly string[],
  more: Record<string, string> = {},
) {
  return run(['backup', ...args], toEnvironment(testDatabase, { SECRET_KEY, ...more }));
}

/** Creates a backup in the directory of the database, and returns its path. */
export async function createBackup(testDatabase: TestDatabase, ...options: string[]): Promise<string> {
  const file = join(testDatabase.directory, 'backup.zst');
  const { code, lines } = await runBackup(testDatabase, ['create', file, ...options]);
  if (code !== 0) throw new Error(lines.join('\n'));
  return file;
}

export async function withOpened<T>(
  { url, directory }: TestDatabase,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 2 });
  return use(database).finally(() => database.close());
}

/** Tables that the restore itself and running services write, and sessions, which it omits. */
const CHANGING = [
  ...['settings', 'events', 'counters', 'active_users', 'event_chain', 'event_subjects'],
  ...SESSION_TABLES,
];

/** Returns the number of rows and a digest of each table. */
export function readDigests(
  testDatabase: TestDatabase,
  isIncluded = (name: string) => !CHANGING.includes(name),
): Promise<Record<string, string>> {
  return withOpened(testDatabase, async (database) => {
    const digests: Record<string, string> = {};
    for (const table of await listStoredTables(database, database.engine)) {
      if (!isIncluded(table.name)) continue;
      const digest = createHash('sha256');
      let rows = 0;
      for await (const page of readPages(database, table)) {
        rows += page.length;
        digest.update(
          JSON.stringify(
            page.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value))),
          ),
        );
      }
      digests[table.name] = `${rows} ${digest.digest('hex')}`;
    }
    return digests;
  });
}

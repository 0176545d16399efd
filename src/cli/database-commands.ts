/** Commands that change the database. */
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import type { Config } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { createMigrationReport } from '../migration-report.ts';
import { secretKeyOf } from '../secret-files.ts';
import { acceptSecretKey } from '../secret-key-check.ts';

/** Adds the commands. `readSettings` is called by the command that runs. */
export function addDatabaseCommands(program: Command, readSettings: () => Config): void {
  program
    .command('migrate')
    .description('migrate the database to the schema of this release')
    .action(() => migrateDatabase(readSettings()));
  program
    .command('accept-secret-key')
    .description('let the database accept the current SECRET_KEY, when the old one is lost')
    .action(() => acceptCurrentSecretKey(readSettings()));
}

async function migrateDatabase(config: Config): Promise<void> {
  createDataDirectory(config);
  const database = openDatabase(config);
  const report = createMigrationReport((text) => console.error(text));
  const applied = await migrate(database, undefined, report).finally(() => database.close());
  console.log(applied === 0 ? 'The database is up to date.' : `Applied ${applied} step(s).`);
}

async function acceptCurrentSecretKey(config: Config): Promise<void> {
  createDataDirectory(config);
  const secretKey = secretKeyOf(config);
  const database = openDatabase(config);
  try {
    await migrate(database);
    await acceptSecretKey(database, secretKey);
  } finally {
    await database.close();
  }
  console.log('The database accepts the current SECRET_KEY. Cursors made with the old one are rejected.');
}

/** Commands that change the database. */
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import { migrate, type ReportProgress } from '../database/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { formatCount } from '../lib/text/count.ts';
import { formatProgress } from '../startup/migration-report.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { acceptSecretKey } from '../startup/secret-key-check.ts';
import type { CommandContext } from './context.ts';
import { withDatabase } from './with-database.ts';

/** Adds the commands. */
export function addDatabaseCommands(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('migrate the database to the schema of this release')
    .action(() => migrateDatabase(context));
  program
    .command('accept-secret-key')
    .description('make the database accept the current SECRET_KEY after the old one was lost')
    .action(() => acceptCurrentSecretKey(context));
}

async function migrateDatabase({ readSettings, print, printError }: CommandContext): Promise<void> {
  const config = readSettings();
  createDataDirectory(config);
  const database = openDatabase(config);
  const report: ReportProgress = async (progress) => printError(formatProgress(progress));
  const applied = await migrate(database, undefined, report).finally(() => database.close());
  print(applied === 0 ? 'The database is up to date.' : `Applied ${formatCount(applied, 'migration')}.`);
}

async function acceptCurrentSecretKey(context: CommandContext): Promise<void> {
  const config = context.readSettings();
  createDataDirectory(config);
  const secretKey = getSecretKey(config, { warn: context.printError });
  await withDatabase(config, (database, clock) => acceptSecretKey(database, secretKey, clock()));
  context.print('The database accepts the current SECRET_KEY. Cursors made with the old one are rejected.');
}

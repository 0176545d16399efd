/** Commands that maintain the data of a service, which no operation of the API does. All can run beside it. */
import type { Command } from 'commander';
import { createDataDirectory } from '../config/data-directory.ts';
import { compareSchema, migrate, type ReportProgress } from '../database/migrate.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { recomputeStatistics } from '../features/activity/dashboard/recompute-statistics.ts';
import { recordEvent } from '../features/events/record-event.ts';
import { retryWaitingMail } from '../features/mail/delivery/retry-waiting-mail.ts';
import { formatWaiting } from '../features/operation/checks/check-database.ts';
import { formatCount } from '../lib/text/text.ts';
import { acceptSecretKey, formatProgress } from '../startup/prepare-database.ts';
import { getSecretKey, replaceSecretFile } from '../startup/secret-files.ts';
import { type CommandContext, CommandError } from './context.ts';

const ADMIN_TOKEN_EXAMPLES = `
Example:
  npm run cli -- admin-token rotate

Replaces the file admin-token of a service without ADMIN_TOKEN. The running service accepts the new credential at once,
and the old one until it is restarted.`;

export function addMaintenanceCommands(program: Command, context: CommandContext): void {
  program
    .command('admin-token')
    .description('manage ADMIN_TOKEN')
    .command('rotate')
    .description('generate a new ADMIN_TOKEN')
    .addHelpText('after', ADMIN_TOKEN_EXAMPLES)
    .action(() => rotateAdminToken(context));
  program
    .command('migrate')
    .description('migrate the database to the schema of this release, beside nodes of the release before')
    .option('--contract', 'also remove what only older releases use: no node of them may run any more')
    .action(({ contract = false }) => migrateDatabase(context, contract));
  program
    .command('accept-secret-key')
    .description('make the database accept the current SECRET_KEY after the old one was lost')
    .action(() => acceptCurrentSecretKey(context));
  program
    .command('statistics')
    .description('manage the figures of the dashboard')
    .command('recompute')
    .description('correct figures that differ from the data, also while services run')
    .action(() => recompute(context));
  program
    .command('mail')
    .description('retry messages')
    .command('retry')
    .description('make all queued messages due now, also while services run')
    .action(() => retryMail(context));
}

async function rotateAdminToken({ readSettings, createOrUseDatabase, print }: CommandContext): Promise<void> {
  const config = readSettings();
  if (config.adminTokens !== null)
    throw new CommandError(
      'ADMIN_TOKEN is set: restart with ADMIN_TOKEN=<new>,<old>, and with the new one alone when all clients use it (openssl rand -hex 32 generates one)',
    );
  const replace = async () => replaceSecretFile(config.dataDir, 'admin-token');
  // The file is replaced last, so that there is no new credential without its event.
  const recordAndReplace = () =>
    createOrUseDatabase((database, clock) =>
      database.transaction(async (tx) => {
        await recordEvent(tx, { type: 'admin_token.rotated', subject: 'settings', now: clock() });
        return replace();
      }),
    );
  // A service that has never started has no record yet.
  const file = await (isCreated(config) ? recordAndReplace() : replace());
  print(
    `${file} contains a new credential. A running service accepts it at once, and the old one until it is restarted.`,
  );
}

async function migrateDatabase({ readSettings, print, printError }: CommandContext, contract: boolean) {
  const config = readSettings();
  createDataDirectory(config);
  const database = openDatabase(config);
  const report: ReportProgress = async (progress) => printError(formatProgress(progress));
  try {
    const applied = await migrate(database, undefined, { report, contract });
    print(applied === 0 ? 'The database is up to date.' : `Applied ${formatCount(applied, 'migration')}.`);
    const { waiting } = await compareSchema(database);
    if (waiting > 0) print(formatWaiting(waiting));
  } finally {
    await database.close();
  }
}

async function acceptCurrentSecretKey(context: CommandContext): Promise<void> {
  const { readSettings, createOrUseDatabase, print, printError } = context;
  const config = readSettings();
  createDataDirectory(config);
  const secretKey = getSecretKey(config, { warn: printError });
  await createOrUseDatabase((database, clock) => acceptSecretKey(database, secretKey, clock()));
  print('The database accepts the current SECRET_KEY. Cursors made with the old one are rejected.');
}

async function recompute({ withDatabase, print }: CommandContext): Promise<void> {
  const corrections = await withDatabase(async (database, clock) => {
    // First: the figures are corrected in several transactions.
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'statistics.recomputed', subject: 'statistics', now: clock() }),
    );
    return recomputeStatistics(database, clock);
  });
  for (const [kind, count] of Object.entries(corrections)) print(`${kind}: ${count} corrected`);
}

async function retryMail({ withDatabase, print }: CommandContext): Promise<void> {
  const count = await withDatabase(async (database, clock) => {
    // First: the messages become due in several transactions.
    await database.transaction((tx) =>
      recordEvent(tx, { type: 'mail.retried', subject: 'mail', now: clock() }),
    );
    return retryWaitingMail(database, clock);
  });
  print(`Made ${formatCount(count, 'message')} due now.`);
}

/** Commands about the administrator credential. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { isCreated } from '../database/open.ts';
import { recordEvent } from '../features/events/record-event.ts';
import { replaceSecretFile } from '../startup/secret-files.ts';
import type { CommandContext } from './context.ts';
import { CommandError } from './output.ts';
import { withDatabase } from './with-database.ts';

const EXAMPLES = `
Example:
  npm run cli -- admin-token rotate

Replaces the file admin-token of a service without ADMIN_TOKEN. The running service accepts the new credential at once,
and the old one until it is restarted.`;

/** Adds the commands. */
export function addAdminTokenCommands(program: Command, context: CommandContext): void {
  program
    .command('admin-token')
    .description('manage the administrator credential')
    .command('rotate')
    .description('generate a new administrator credential')
    .addHelpText('after', EXAMPLES)
    .action(() => rotate(context));
}

async function rotate({ readSettings, print }: CommandContext): Promise<void> {
  const config = readSettings();
  if (config.adminTokens !== null)
    throw new CommandError(
      'ADMIN_TOKEN is set: restart with ADMIN_TOKEN=<new>,<old>, and with the new one alone when all clients use it (openssl rand -hex 32 generates one)',
    );
  const file = await replaceAndRecord(config);
  print(
    `${file} contains a new credential. A running service accepts it at once, and the old one until it is restarted.`,
  );
}

/** Replaces the file last, so that there is no new credential without its event. Returns the path of the file. */
async function replaceAndRecord(config: Config): Promise<string> {
  const replace = () => replaceSecretFile(config.dataDir, 'admin-token');
  // A service that has never started has no record yet.
  if (!isCreated(config)) return replace();
  return withDatabase(config, (database, clock) =>
    database.transaction(async (tx) => {
      await recordEvent(tx, { type: 'admin_token.rotated', subject: 'settings', now: clock() });
      return replace();
    }),
  );
}

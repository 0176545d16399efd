/** Commands about the administrator credential. */
import type { Command } from 'commander';
import { replaceSecretFile } from '../startup/secret-files.ts';
import type { CommandContext } from './context.ts';
import { CommandError } from './output.ts';

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

function rotate({ readSettings, print }: CommandContext): void {
  const { adminTokens, dataDir } = readSettings();
  if (adminTokens !== null)
    throw new CommandError(
      'ADMIN_TOKEN is set: restart with ADMIN_TOKEN=<new>,<old>, and with the new one alone when all clients use it (openssl rand -hex 32 generates one)',
    );
  const file = replaceSecretFile(dataDir, 'admin-token');
  print(
    `${file} contains a new credential. A running service accepts it at once, and the old one until it is restarted.`,
  );
}

/** Commands about access tokens. */
import type { Command } from 'commander';
import { revokeTokensOfUser } from '../features/tokens/revocation/revoke-tokens.ts';
import { formatCount } from '../lib/text/count.ts';
import type { CommandContext } from './context.ts';
import { findUserByIdOrEmail } from './users/find-user.ts';
import { withDatabase } from './with-database.ts';

const EXAMPLES = `
Examples:
  npm run cli -- tokens revoke --user ada@example.com
  npm run cli -- tokens revoke --user 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --json

Every node rejects the tokens at once. The user can log in again.`;

interface Options {
  readonly user: string;
  readonly json?: boolean;
}

/** Adds the commands. */
export function addTokenCommands(program: Command, context: CommandContext): void {
  program
    .command('tokens')
    .description('revoke access tokens')
    .command('revoke')
    .description('revoke all tokens of a user')
    .requiredOption('--user <user>', 'id or email')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => revoke(context, options));
}

async function revoke({ readSettings, print }: CommandContext, { user, json }: Options): Promise<void> {
  await withDatabase(readSettings(), async (database, clock) => {
    const { id } = await findUserByIdOrEmail(database, user);
    const revoked = await revokeTokensOfUser({ database, clock }, id);
    print(
      json === true ? JSON.stringify({ id, revoked }) : `Revoked ${formatCount(revoked, 'token')} of ${id}.`,
    );
  });
}

/** Commands about access tokens. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { revokeTokensOfUser } from '../features/tokens/revoke-tokens.ts';
import { userOf } from './users/find-user.ts';
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

/** Adds the commands. `readSettings` is called by the command that runs. */
export function addTokenCommands(program: Command, readSettings: () => Config): void {
  program
    .command('tokens')
    .description('revoke access tokens')
    .command('revoke')
    .description('revoke all tokens of a user')
    .requiredOption('--user <user>', 'id or email')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => revoke(readSettings(), options));
}

async function revoke(config: Config, { user, json }: Options): Promise<void> {
  await withDatabase(config, async (database, clock) => {
    const { id } = await userOf(database, user);
    const revoked = await revokeTokensOfUser({ database, clock }, id);
    console.log(json === true ? JSON.stringify({ id, revoked }) : `Revoked ${revoked} token(s) of ${id}.`);
  });
}

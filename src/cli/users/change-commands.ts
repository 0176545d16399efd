/** `users disable`, `users enable` and `users delete` */
import type { Command } from 'commander';
import { eraseUser } from '../../features/users/accounts/erasure/erase-user.ts';
import { userView } from '../../features/users/records/user-responses.ts';
import { updateUser } from '../../features/users/update-user.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { findUserByIdOrEmail } from './find-user.ts';

interface Options {
  readonly json?: boolean;
}

const examples = (command: string, effect: string) => `
Examples:
  npm run cli -- users ${command} ada@example.com
  npm run cli -- users ${command} 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --json

${effect}`;

const DELETE_EXAMPLES = `
Example:
  npm run cli -- users delete ada@example.com --yes

Deletes the record, its tokens and its activity permanently.`;

/** Adds the commands. */
export function addChangeCommands(users: Command, context: CommandContext): void {
  users
    .command('disable')
    .description('disable a user, and revoke all of their tokens and links')
    .argument('<user>', 'id or email')
    .option('--json', 'print the record as JSON')
    .addHelpText('after', examples('disable', 'The user cannot log in until `users enable`.'))
    .action((user: string, options: Options) => setState(context, user, { ...options, state: 'disabled' }));
  users
    .command('enable')
    .description('let a disabled user log in again')
    .argument('<user>', 'id or email')
    .option('--json', 'print the record as JSON')
    .addHelpText('after', examples('enable', 'Tokens that were revoked stay revoked.'))
    .action((user: string, options: Options) => setState(context, user, { ...options, state: 'active' }));
  users
    .command('delete')
    .description('delete a user permanently')
    .argument('<user>', 'id or email')
    .option('--yes', 'confirm the deletion')
    .addHelpText('after', DELETE_EXAMPLES)
    .action((user: string, options: { yes?: boolean }) => erase(context, user, options.yes === true));
}

interface Change extends Options {
  readonly state: 'active' | 'disabled';
}

async function setState(context: CommandContext, idOrEmail: string, { state, json }: Change): Promise<void> {
  const user = await withDatabase(context.readSettings(), async (database, clock) => {
    const found = await findUserByIdOrEmail(database, idOrEmail);
    if (found.state === 'unclaimed')
      throw new CommandError(`${found.id} is unclaimed: without a password it cannot log in anyway`);
    return updateUser({ database, clock }, { id: found.id, changes: { state }, isExpected: () => true });
  });
  context.print(json === true ? JSON.stringify(userView(user)) : `${user.id} is ${user.state}.`);
}

async function erase(context: CommandContext, idOrEmail: string, isConfirmed: boolean): Promise<void> {
  await withDatabase(context.readSettings(), async (database, clock) => {
    const { id } = await findUserByIdOrEmail(database, idOrEmail);
    if (!isConfirmed) throw new CommandError(`add --yes to delete ${id} permanently`);
    await eraseUser({ database, clock, maxErasureWaitMs: null }, id);
    context.print(`Deleted ${id}.`);
  });
}

/** `users list` and `users show` */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { allUsers } from '../../features/administration/all-users.ts';
import type { UserFilter, UserRow } from '../../features/users/queries.ts';
import { normalizeOptionalEmail } from '../../features/users/rules.ts';
import { userView } from '../../features/users/user-responses.ts';
import { USER_STATES, type UserState } from '../../features/users/user-states.ts';
import { isStorable } from '../../lib/text/text.ts';
import { timestamp } from '../../lib/time/clock.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, printable, writeLines } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { findUserByIdOrEmail } from './find-user.ts';

interface ListOptions {
  readonly state?: UserState;
  readonly email?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

const LIST_EXAMPLES = `
Examples:
  npm run cli -- users list --state disabled
  npm run cli -- users list --limit 100 --json | jq -r .email

Prints all users, the first created first. With --json, each line is a JSON object.`;

const SHOW_EXAMPLES = `
Examples:
  npm run cli -- users show ada@example.com
  npm run cli -- users show 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --json`;

/** Adds both commands. */
export function addListCommands(users: Command, context: CommandContext): void {
  users
    .command('list')
    .description('list users')
    .addOption(new Option('--state <state>', 'only users in this state').choices(USER_STATES))
    .option('--email <email>', 'only records with this email')
    .option('--limit <count>', 'maximum number of users', parseCount)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', LIST_EXAMPLES)
    .action((options: ListOptions) => list(context, options));
  users
    .command('show')
    .description('show one user')
    .argument('<user>', 'id or email')
    .option('--json', 'print one JSON object')
    .addHelpText('after', SHOW_EXAMPLES)
    .action((user: string, options: { json?: boolean }) => show(context, user, options.json === true));
}

function parseCount(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new InvalidArgumentError('It must be a positive number.');
  return Number(given);
}

async function list({ readSettings, stdout }: CommandContext, options: ListOptions): Promise<void> {
  const { state = null, email = null, limit = Number.POSITIVE_INFINITY, json = false } = options;
  if (email !== null && !isStorable(email)) throw new CommandError('--email is not an email');
  const filter: UserFilter = { state, emailKey: normalizeOptionalEmail(email), search: null };
  const format = json ? (user: UserRow) => JSON.stringify(userView(user)) : line;
  await withDatabase(readSettings(), (database) =>
    writeLines(formatted(allUsers(database, filter), limit, format), stdout),
  );
}

async function* formatted(
  users: AsyncIterable<UserRow>,
  limit: number,
  format: (user: UserRow) => string,
): AsyncGenerator<string> {
  let count = 0;
  for await (const user of users) {
    if (++count > limit) return;
    yield format(user);
  }
}

function line({ id, state, created_at, email, name }: UserRow): string {
  return [id, state.padEnd(9), timestamp(created_at), printable(email), printable(name)].join('  ');
}

async function show(context: CommandContext, idOrEmail: string, asJson: boolean): Promise<void> {
  const user = await withDatabase(context.readSettings(), (database) =>
    findUserByIdOrEmail(database, idOrEmail),
  );
  const view = userView(user);
  if (asJson) return context.print(JSON.stringify(view));
  for (const [member, value] of Object.entries(view)) {
    context.print(`${member.padEnd(17)}  ${printable(value === null ? null : String(value))}`);
  }
}

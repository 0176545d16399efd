/** `users list` and `users show` */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { allUsers } from '../../features/users/all-users.ts';
import type { UserFilter } from '../../features/users/records/list/filter.ts';
import { readFilter } from '../../features/users/records/list/read-query.ts';
import { USER_SORTS, type UserSort } from '../../features/users/records/list/sorts.ts';
import type { UserRow } from '../../features/users/records/queries.ts';
import { userView } from '../../features/users/records/user-responses.ts';
import { USER_STATES } from '../../features/users/records/user-states.ts';
import { timestamp } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import type { CommandContext } from '../context.ts';
import { CommandError, printable, writeLines } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { findUserByIdOrEmail } from './find-user.ts';

/** Options that are parameters of the list in the API. */
interface FilterOptions {
  readonly search?: string;
  readonly state?: string;
  readonly email?: string;
  readonly level?: string;
  readonly verified?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly lastLoginFrom?: string;
  readonly lastLoginTo?: string;
  readonly metadata?: string;
}

interface ListOptions extends FilterOptions {
  readonly sort: UserSort;
  readonly limit?: number;
  readonly json?: boolean;
}

const LIST_EXAMPLES = `
Examples:
  npm run cli -- users list --state disabled
  npm run cli -- users list --search @example.org --sort -last_login_at
  npm run cli -- users list --created-from 2026-01-01 --created-to 2026-02-01 --verified false
  npm run cli -- users list --metadata app_metadata.plan:pro
  npm run cli -- users list --limit 100 --json | jq -r .email

Prints the users that match all options, the first created first. A search is a part
of a name or email, or the start of an id (8 characters or more) or of a token
(12 characters or more). Times are RFC 3339 timestamps, or dates in UTC. With --json,
each line is a JSON object.`;

const SHOW_EXAMPLES = `
Examples:
  npm run cli -- users show ada@example.com
  npm run cli -- users show 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --json`;

/** Adds both commands. */
export function addListCommands(users: Command, context: CommandContext): void {
  const list = users.command('list').description('list users');
  addFilterOptions(list)
    .addOption(
      new Option('--sort <order>', 'order: with "-", the newest or last first')
        .choices(USER_SORTS)
        .default('created_at'),
    )
    .option('--limit <count>', 'maximum number of users', parseCount)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', LIST_EXAMPLES)
    .action((options: ListOptions) => printList(context, options));
  users
    .command('show')
    .description('show one user')
    .argument('<user>', 'id or email')
    .option('--json', 'print one JSON object')
    .addHelpText('after', SHOW_EXAMPLES)
    .action((user: string, options: { json?: boolean }) => show(context, user, options.json === true));
}

function addFilterOptions(command: Command): Command {
  return command
    .option('--search <text>', 'only users with this name, email, id or token')
    .addOption(new Option('--state <state>', 'only users in this state').choices(USER_STATES))
    .option('--email <email>', 'only records with this email')
    .option('--level <level>', 'only users with this level')
    .addOption(
      new Option('--verified <boolean>', 'only users whose email is verified, or is not').choices([
        'true',
        'false',
      ]),
    )
    .option('--created-from <time>', 'only users created at this time or later')
    .option('--created-to <time>', 'only users created before this time')
    .option('--last-login-from <time>', 'only users whose last login was at this time or later')
    .option('--last-login-to <time>', 'only users whose last login was before this time')
    .option('--metadata <member:text>', 'only users with this text in an indexed member of their metadata');
}

function parseCount(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new InvalidArgumentError('It must be a positive number.');
  return Number(given);
}

async function printList({ readSettings, stdout }: CommandContext, options: ListOptions): Promise<void> {
  const { sort, limit = Number.POSITIVE_INFINITY, json = false } = options;
  const format = json ? (user: UserRow) => JSON.stringify(userView(user)) : line;
  try {
    const filter = toFilter(options);
    await withDatabase(readSettings(), (database) =>
      writeLines(formatted(allUsers(database, filter, sort), limit, format), stdout),
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The messages of the API begin with the name of the parameter.
    throw new CommandError(error.text.replace(/^\w+/, (name) => `--${name.replaceAll('_', '-')}`));
  }
}

/** @throws Problem invalid_filter */
function toFilter(options: FilterOptions): UserFilter {
  const { createdFrom, createdTo, lastLoginFrom, lastLoginTo, ...others } = options;
  const times = {
    created_from: createdFrom,
    created_to: createdTo,
    last_login_from: lastLoginFrom,
    last_login_to: lastLoginTo,
  };
  return readFilter({ ...others, ...times });
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

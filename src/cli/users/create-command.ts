/** `users create` */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { ADMINISTRATOR } from '../../features/users/accounts/passwords/hashing-client.ts';
import { createPasswordPolicy } from '../../features/users/accounts/passwords/password-policy.ts';
import {
  insertAccount,
  type NewUserInput,
  prepareOwner,
} from '../../features/users/accounts/registration/create-user.ts';
import { findUser } from '../../features/users/records/queries.ts';
import { newUserSchema } from '../../features/users/records/schemas.ts';
import { userView } from '../../features/users/records/user-responses.ts';
import { createLog } from '../../lib/log/log.ts';
import { createValidator } from '../../lib/schema/validator.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { withPasswords } from '../with-passwords.ts';

interface Options {
  readonly email: string;
  readonly name: string;
  readonly level?: string;
  readonly passwordStdin?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  npm run cli -- users create --email ada@example.com --name "Ada Lovelace"
  printf %s "$PASSWORD" | npm run cli -- users create --email ada@example.com --name Ada --password-stdin

Without a password, a message with a link to set one is queued.`;

/** Adds the command. */
export function addCreateCommand(users: Command, context: CommandContext): void {
  users
    .command('create')
    .description('add an account')
    .requiredOption('--email <email>', 'email, which the account owns')
    .requiredOption('--name <name>', 'name of the person')
    .option('--level <level>', 'level of the user, which this service does not interpret')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print the record as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => createAccount(context, options));
}

const validate = createValidator(newUserSchema);

async function createAccount(context: CommandContext, options: Options): Promise<void> {
  const config = context.readSettings();
  const input = await readInput(context, options);
  const passwordPolicy = createPasswordPolicy(config.passwordPolicy, createLog('silent'));
  const user = await withDatabase(config, (database, clock) =>
    withPasswords(config, async (passwords) => {
      const owner = await prepareOwner({ clock, passwords, passwordPolicy }, input, ADMINISTRATOR);
      return database.transaction(async (tx) => {
        await insertAccount(tx, owner);
        return (await findUser(tx, owner.id))!;
      });
    }),
  );
  if (options.json === true) context.print(JSON.stringify(userView(user)));
  else if (user.state === 'active') context.print(`Created ${user.id}.`);
  else context.print(`Created ${user.id}. A message with a link to set the password is queued.`);
}

async function readInput({ stdin }: CommandContext, options: Options): Promise<NewUserInput> {
  const { email, name, level, passwordStdin } = options;
  const password = passwordStdin === true ? { password: await readPassword(stdin) } : {};
  // Validated by the schema of the API, which requires the name and the email.
  return validate({ email, name, level, ...password }) as unknown as NewUserInput;
}

/** Returns the input without the line break at its end, which `echo` and editors add. @throws CommandError */
async function readPassword(stdin: Readable): Promise<string> {
  const password = (await text(stdin)).replace(/\r?\n$/, '');
  if (password.trim() !== '') return password;
  throw new CommandError('--password-stdin: standard input has no password, or one of white space only');
}

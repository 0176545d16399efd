/** `users create` */

import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { insertAccount, type NewUserInput, prepareOwner } from '../../features/users/create-user.ts';
import { ADMINISTRATOR } from '../../features/users/hashing-client.ts';
import { createPasswordPolicy } from '../../features/users/password-policy.ts';
import { findUser } from '../../features/users/queries.ts';
import { newUserSchema } from '../../features/users/schemas.ts';
import { userView } from '../../features/users/user-responses.ts';
import { createLog } from '../../lib/log.ts';
import { createValidator } from '../../plugins/validation/validator.ts';
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
export function addCreateCommand(users: Command, readSettings: () => Config): void {
  users
    .command('create')
    .description('add an account')
    .requiredOption('--email <email>', 'email, which the account owns')
    .requiredOption('--name <name>', 'name of the person')
    .option('--level <level>', 'level, which grants nothing inside this service')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print the record as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => createAccount(readSettings(), options));
}

const validate = createValidator(newUserSchema);

async function createAccount(config: Config, options: Options): Promise<void> {
  const input = await readInput(options);
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
  if (options.json === true) console.log(JSON.stringify(userView(user)));
  else if (user.state === 'active') console.log(`Created ${user.id}.`);
  else console.log(`Created ${user.id}. A message with a link to set the password is queued.`);
}

async function readInput({ email, name, level, passwordStdin }: Options): Promise<NewUserInput> {
  const password = passwordStdin === true ? { password: await readPassword() } : {};
  // Validated by the schema of the API, which requires the name and the email.
  return validate({ email, name, level, ...password }) as unknown as NewUserInput;
}

/** Returns standard input without the line break at its end, which `echo` and editors add. */
async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

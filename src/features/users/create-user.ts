/** Makes a user record on behalf of a stranger (unclaimed) or of the administrator. */
import type { Database } from '../../database/database.ts';
import { Problem } from '../../problems.ts';
import type { Clock } from '../../tools/clock.ts';
import { emailKey } from '../../tools/email-address.ts';
import { newId } from '../../tools/ids.ts';
import type { Passwords } from '../../tools/passwords.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { findUser, insertUser, type UserRow } from './queries.ts';

export interface CreateUserDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
}

/**
 * An unclaimed record: it cannot log in, and its address reserves nothing, so that nobody can squat on the
 * address of somebody else or learn from an answer whether it is known. Gives the id.
 */
export async function createUnclaimedUser(
  { database, clock }: CreateUserDeps,
  input: { readonly name?: string; readonly email?: string },
): Promise<string> {
  const createdAt = clock();
  const id = newId(createdAt);
  const { name = null, email = null } = input;
  await database.transaction((tx) =>
    insertUser(tx, {
      id,
      name,
      email,
      emailKey: email === null ? null : emailKey(email),
      ownsEmail: false,
      passwordHash: null,
      level: null,
      state: 'unclaimed',
      createdAt,
    }),
  );
  return id;
}

export interface NewUserInput {
  readonly name: string;
  readonly email: string;
  readonly password?: string;
  readonly level?: string | null;
}

/**
 * A record that owns its address: active with a password, unclaimed without.
 * @throws Problem email_taken, validation_failed (password policy)
 */
export async function createUser(deps: CreateUserDeps, input: NewUserInput): Promise<UserRow> {
  const { database, clock, passwords, passwordPolicy } = deps;
  const { name, email, password, level = null } = input;
  if (password !== undefined) await passwordPolicy.check(password, { name, email });
  const passwordHash = password === undefined ? null : await passwords.hash(password);
  const createdAt = clock();
  const id = newId(createdAt);
  return database.transaction(async (tx) => {
    const inserted = await insertUser(tx, {
      id,
      name,
      email,
      emailKey: emailKey(email),
      ownsEmail: true,
      passwordHash,
      level,
      state: passwordHash === null ? 'unclaimed' : 'active',
      createdAt,
    });
    if (!inserted) throw emailTaken();
    return (await findUser(tx, id))!;
  });
}

export function emailTaken(): Problem {
  const message = 'The email has already been taken.';
  return new Problem('email_taken', {
    errors: { email: [message] },
    details: [{ pointer: '#/email', detail: message }],
  });
}

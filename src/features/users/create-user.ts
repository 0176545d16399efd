/** Makes a user record on behalf of a stranger (unclaimed) or of the administrator. */
import type { Tx } from '../../database/database.ts';
import { Problem } from '../../problems.ts';
import type { Clock } from '../../tools/clock.ts';
import { emailKey } from '../../tools/email-address.ts';
import { newId } from '../../tools/ids.ts';
import type { Passwords } from '../../tools/passwords.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { findUser, insertUser, type NewUser, type UserRow } from './queries.ts';

export interface CreateUserDeps {
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
}

/**
 * An unclaimed record: it cannot log in, and its address reserves nothing, so that nobody can squat on the
 * address of somebody else or learn from an answer whether it is known. Gives the id.
 */
export async function createUnclaimedUser(
  tx: Tx,
  createdAt: number,
  input: { readonly name?: string; readonly email?: string },
): Promise<string> {
  const { name = null, email = null }: { name?: string | null; email?: string | null } = input;
  const id = newId(createdAt);
  await insertUser(tx, {
    id,
    name,
    email,
    emailKey: email === null ? null : emailKey(email),
    ownsEmail: false,
    passwordHash: null,
    level: null,
    state: 'unclaimed',
    createdAt,
  });
  return id;
}

export interface NewUserInput {
  readonly name: string;
  readonly email: string;
  readonly password?: string;
  readonly level?: string | null;
}

/**
 * A record that owns its address: active with a password, unclaimed without. Checks and hashes, and gives the
 * rest as a function for one transaction.
 * @throws Problem validation_failed (password policy); inside the transaction email_taken
 */
export async function prepareUser(
  { clock, passwords, passwordPolicy }: CreateUserDeps,
  { name, email, password, level = null }: NewUserInput,
): Promise<(tx: Tx) => Promise<UserRow>> {
  if (password !== undefined) await passwordPolicy.check(password, { name, email });
  const passwordHash = password === undefined ? null : await passwords.hash(password);
  const createdAt = clock();
  const id = newId(createdAt);
  return async (tx) => {
    await insertOwner(tx, { id, name, email, passwordHash, level, createdAt });
    return (await findUser(tx, id))!;
  };
}

export type Owner = Pick<NewUser, 'id' | 'passwordHash' | 'level' | 'createdAt'> & {
  readonly name: string;
  readonly email: string;
};

/** A record that owns its address: whether it is free is decided by the database. @throws Problem email_taken */
export async function insertOwner(tx: Tx, owner: Owner): Promise<void> {
  const inserted = await insertUser(tx, {
    ...owner,
    emailKey: emailKey(owner.email),
    ownsEmail: true,
    state: owner.passwordHash === null ? 'unclaimed' : 'active',
  });
  if (!inserted) throw emailTaken();
}

export function emailTaken(): Problem {
  const message = 'The email has already been taken.';
  return new Problem('email_taken', {
    errors: { email: [message] },
    details: [{ pointer: '#/email', detail: message }],
  });
}

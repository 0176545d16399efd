/** Makes a user record on behalf of a stranger (unclaimed) or of the administrator. */
import type { Tx } from '../../database/database.ts';
import { details } from '../../http/request/validation.ts';
import type { Clock } from '../../lib/clock.ts';
import { normalizeEmail } from '../../lib/email-address.ts';
import { newId } from '../../lib/ids.ts';
import type { Passwords } from '../../lib/passwords.ts';
import { catalogue, Problem } from '../../problems.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { insertUser, type NewUser } from './queries.ts';
import { normalizeOptionalEmail } from './rules.ts';

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
  const id = newId();
  await insertUser(tx, {
    id,
    name,
    email,
    emailKey: normalizeOptionalEmail(email),
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
 * A record that owns its address, active with a password and unclaimed without, not yet stored. The password is
 * checked and hashed, which is slow and belongs outside of any transaction.
 * @throws Problem validation_failed (password policy)
 */
export async function prepareOwner(
  { clock, passwords, passwordPolicy }: CreateUserDeps,
  { name, email, password, level = null }: NewUserInput,
): Promise<NewUser> {
  if (password !== undefined) await passwordPolicy.check(password, { name, email });
  const passwordHash = password === undefined ? null : await passwords.hash(password);
  const createdAt = clock();
  return {
    id: newId(),
    name,
    email,
    emailKey: normalizeEmail(email),
    ownsEmail: true,
    passwordHash,
    level,
    state: passwordHash === null ? 'unclaimed' : 'active',
    createdAt,
  };
}

/** Whether the address is free is decided by the database. @throws Problem email_taken */
export async function insertOwner(tx: Tx, owner: NewUser): Promise<void> {
  if (!(await insertUser(tx, owner))) throw emailTaken();
}

export function emailTaken(): Problem {
  const errors = { email: [catalogue.email_taken.text] };
  return new Problem('email_taken', { errors, details: details(errors) });
}

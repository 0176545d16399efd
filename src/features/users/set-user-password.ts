/** Sets the password of a user on behalf of the administrator. */
import type { Database, Tx } from '../../database/database.ts';
import type { Passwords } from '../../lib/passwords/passwords.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { requireEmailOwner } from './accounts/email/email-owner.ts';
import { ADMINISTRATOR } from './accounts/passwords/hashing-client.ts';
import type { PasswordPolicy } from './accounts/passwords/password-policy.ts';
import { setPassword } from './accounts/passwords/set-password.ts';
import { findUser, lockUser } from './records/queries.ts';

export interface SetUserPasswordDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
}

/**
 * Stores the password, whatever the current one is. All tokens and pending links of the user are revoked. An
 * unclaimed account becomes active, a disabled one stays disabled.
 * @throws Problem user_not_found, user_state_conflict, validation_failed (password policy)
 */
export async function setUserPassword(
  deps: SetUserPasswordDeps,
  userId: string,
  password: string,
): Promise<void> {
  const { database, clock, passwords, passwordPolicy } = deps;
  const { name, email } = await requireEmailOwner(database, await findUser(database, userId));
  await passwordPolicy.check(password, { name: name ?? '', email });
  const passwordHash = await passwords.hash(password, ADMINISTRATOR);
  await database.transaction((tx) => store(tx, { userId, passwordHash, now: clock() }));
}

interface HashedPassword {
  readonly userId: string;
  readonly passwordHash: string;
  readonly now: number;
}

async function store(tx: Tx, { userId, passwordHash, now }: HashedPassword): Promise<void> {
  const user = await requireEmailOwner(tx, await lockUser(tx, userId));
  await setPassword(tx, user, { passwordHash, event: 'password.changed', actor: 'administrator', now });
}

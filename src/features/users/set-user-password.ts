/** Sets the password of a user on behalf of the administrator. */

import { requireEmailOwner } from '../people/accounts/email-owner.ts';
import { setPassword } from '../people/accounts/set-password.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { ADMINISTRATOR } from '../people/sign-in/hashing-client.ts';
import { findUser, lockUser } from './records/queries.ts';
import { protectRole } from './records/roles.ts';

/**
 * Revokes all tokens and pending links of the user. An unclaimed account becomes active, a disabled one stays disabled.
 * @throws Problem user_not_found, user_state_conflict, validation_failed (password policy), insufficient_scope
 */
export async function setUserPassword(
  { database, clock, passwords, passwordPolicy }: AccountDeps,
  userId: string,
  password: string,
): Promise<void> {
  const { name, email } = await requireEmailOwner(database, await findUser(database, userId));
  await passwordPolicy.check(password, { name: name ?? '', email });
  const passwordHash = await passwords.hash(password, ADMINISTRATOR);
  await database.transaction(async (tx) => {
    const user = await requireEmailOwner(tx, await lockUser(tx, userId));
    await protectRole(tx, user);
    const effect = { event: 'password.changed', actor: 'administrator', now: clock() } as const;
    await setPassword(tx, user, { ...effect, passwordHash });
  });
}

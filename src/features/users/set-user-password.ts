/** Sets the password of a user on behalf of the administrator. */
import type { AccountDeps } from './accounts/account-deps.ts';
import { requireEmailOwner } from './accounts/email/email-owner.ts';
import { ADMINISTRATOR } from './accounts/passwords/hashing-client.ts';
import { setPassword } from './accounts/passwords/set-password.ts';
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

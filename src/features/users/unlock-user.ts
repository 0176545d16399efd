/** Locks of users after failed logins: shown to the administrator, who can end them. */
import { normalizeEmail } from '../../lib/text/normalize.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { recordEvent } from '../events/record-event.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import type { LockableAccount } from '../people/sign-in/login-guard.ts';
import { findLatestNetworks } from '../people/sign-in/queries.ts';
import { findUser, lockUser, type UserRow } from './records/queries.ts';

import { requireUser } from './records/rules.ts';

/** Networks of a user whose waits are looked at. */
const MAX_NETWORKS = 20;

/** Returns when logins of the user are admitted again, as the API shows it; null: they are. */
export async function findLockedUntil(deps: AccountDeps, user: UserRow): Promise<string | null> {
  const account = await findLockable(deps, user);
  const wait = account === null ? 0 : await deps.loginGuard.findWait(account);
  return wait === 0 ? null : formatTimestamp(deps.clock() + wait);
}

/** Lets a user who is locked log in again; changes nothing for others. @throws Problem user_not_found */
export async function unlockUser(deps: AccountDeps, id: string): Promise<void> {
  const { database, clock, loginGuard } = deps;
  const account = await findLockable(deps, requireUser(await findUser(database, id)));
  if (account === null || (await loginGuard.findWait(account)) === 0) return;
  // Recorded first: an unlock that fails is repeated, and one without an event would never be noticed.
  await database.transaction(async (tx) => {
    requireUser(await lockUser(tx, id));
    await recordEvent(tx, { type: 'account.unlocked', userId: id, actor: 'administrator', now: clock() });
  });
  await loginGuard.unlock(account);
}

/** Returns null for records that cannot log in: their email may be that of somebody else. */
async function findLockable(
  { database }: AccountDeps,
  { id, email, state }: UserRow,
): Promise<LockableAccount | null> {
  if (email === null || state === 'unclaimed') return null;
  const networks = await findLatestNetworks(database, id, MAX_NETWORKS);
  return { accountKey: normalizeEmail(email), networks: networks.map(({ network }) => network) };
}

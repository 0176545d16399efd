/** Uses a link that was sent to the email of an account: sets its password after a reset request, or claims it. */
import type { DatabaseDeps, Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { Problem } from '../../../problems/problem.ts';
import { consumeLink, findLink, type PresentedLink } from '../../mail/links/links.ts';
import type { LinkRow } from '../../mail/links/queries.ts';
import { findUser, lockUser, type UserRow } from '../../users/records/queries.ts';
import { hasEmail } from '../../users/records/rules.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { claimAccount } from '../sign-in/claim-account.ts';
import { toHashingClient } from '../sign-in/hashing-client.ts';
import { setPassword } from './set-password.ts';

const KINDS = ['reset_password', 'claim_account'] as const;

/** Returns the email of the account of a link that would be accepted now, and leaves it valid. @throws Problem link_not_found */
export async function checkPasswordLink({ database, clock }: DatabaseDeps, token: string): Promise<string> {
  const link = await findLink(database, { token, kinds: KINDS, now: clock() });
  return requireAccount(link, await findUser(database, link.user_id)).email;
}

/**
 * Sets the password and uses the link with this token up, unless the password is rejected. All tokens and pending links
 * are revoked, and the email counts as verified: the link was sent to it. `onStored` runs in the same transaction.
 * @throws Problem link_not_found, validation_failed (password policy)
 */
export async function resetPassword(
  { database, clock, passwords, passwordPolicy, loginGuard }: AccountDeps,
  { token, password, clientIp }: Readonly<Record<'token' | 'password' | 'clientIp', string>>,
  onStored: (tx: Tx, userId: string) => Promise<void> = async () => {},
): Promise<void> {
  const presented = { token, kinds: KINDS, now: clock() };
  const link = await findLink(database, presented);
  const { id, name, email } = requireAccount(link, await findUser(database, link.user_id));
  await passwordPolicy.check(password, { name: name ?? '', email });
  const passwordHash = await passwords.hash(password, toHashingClient(clientIp, id));
  await database.transaction(async (tx) => {
    await storeReset(tx, presented, passwordHash);
    await onStored(tx, id);
  });
  await loginGuard.resetFailures({ accountKey: normalizeEmail(email), clientIp });
}

/**
 * Makes the account of a link active without a password, and its email verified, and uses the link up. `onStored` runs in
 * the same transaction. @throws Problem link_not_found
 */
export async function claimWithoutPassword(
  { database, clock }: DatabaseDeps,
  token: string,
  onStored: (tx: Tx, userId: string) => Promise<void>,
): Promise<void> {
  const presented = { token, kinds: ['claim_account'], now: clock() } as const;
  await database.transaction(async (tx) => {
    const user = await takeAccount(tx, presented);
    await claimAccount(tx, user, presented.now);
    await onStored(tx, user.id);
  });
}

/** Uses the link up, and returns its user, locked. @throws Problem link_not_found */
async function takeAccount(tx: Tx, presented: PresentedLink) {
  const link = await findLink(tx, presented);
  // Locked first, as by every change of a password, so that two of them cannot wait for each other.
  const user = requireAccount(link, await lockUser(tx, link.user_id));
  await consumeLink(tx, presented);
  return user;
}

async function storeReset(tx: Tx, presented: PresentedLink, passwordHash: string): Promise<void> {
  const user = await takeAccount(tx, presented);
  const event = user.state === 'unclaimed' ? 'user.claimed' : 'password.reset';
  const { now } = presented;
  await setPassword(tx, user, { passwordHash, event, actor: 'user', provesEmail: true, now });
}

/**
 * Returns the user of a link that still applies: the user is not disabled, has the address that the link was sent to,
 * and has not claimed the account otherwise. @throws Problem link_not_found
 */
function requireAccount({ kind, email }: LinkRow, user: UserRow | undefined): UserRow & { email: string } {
  const isUsable =
    user !== undefined &&
    user.state !== 'disabled' &&
    (kind !== 'claim_account' || user.state === 'unclaimed') &&
    hasEmail(user, email);
  if (!isUsable) throw new Problem('link_not_found');
  return { ...user, email: user.email ?? email };
}

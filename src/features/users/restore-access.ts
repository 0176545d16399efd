/** What the administrator does for people who cannot log in: ends locks, removes second factors, sets passwords, sends links. */
import type { DatabaseDeps } from '../../database/database.ts';
import { normalizeEmail } from '../../lib/text/normalize.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueueMail } from '../mail/enqueue-mail.ts';
import { requireEmailOwner } from '../people/accounts/change-email.ts';
import { removeTotp } from '../people/accounts/change-totp.ts';
import type { SENT_LINKS } from '../people/accounts/schemas.ts';
import { setPassword } from '../people/accounts/set-password.ts';
import type { AccountDeps } from '../people/sign-in/account-deps.ts';
import { ADMINISTRATOR } from '../people/sign-in/hashing-client.ts';
import { findUser, lockUser, type UserRow } from './records/queries.ts';
import { changeAsAdministrator, protectRole } from './records/roles.ts';
import { requireUser } from './records/rules.ts';

/** Returns when logins of the user are admitted again, as the API shows it; null: they are. */
export async function findLockedUntil(deps: AccountDeps, user: UserRow): Promise<string | null> {
  const accountKey = toAccountKey(user);
  const wait = accountKey === null ? 0 : await deps.loginGuard.findWait(accountKey);
  return wait === 0 ? null : formatTimestamp(deps.clock() + wait);
}

/** Lets a user who is locked log in again; changes nothing for others. @throws Problem user_not_found */
export async function unlockUser(deps: AccountDeps, id: string): Promise<void> {
  const { database, clock, loginGuard } = deps;
  const accountKey = toAccountKey(requireUser(await findUser(database, id)));
  if (accountKey === null || (await loginGuard.findWait(accountKey)) === 0) return;
  // Recorded first: an unlock that fails is repeated, and one without an event would never be noticed.
  await database.transaction(async (tx) => {
    requireUser(await lockUser(tx, id));
    await recordEvent(tx, { type: 'account.unlocked', userId: id, actor: 'administrator', now: clock() });
  });
  await loginGuard.unlock(accountKey);
}

/** Returns null for records that cannot log in: their email may be that of somebody else. */
function toAccountKey({ email, state }: UserRow): string | null {
  return email === null || state === 'unclaimed' ? null : normalizeEmail(email);
}

/** Tokens and sessions stay. @throws Problem user_not_found, insufficient_scope */
export function removeUserTotp({ database, clock }: DatabaseDeps, id: string): Promise<void> {
  return changeAsAdministrator(database, id, async (tx, user) => {
    if (user.totp_enabled_at !== null) await removeTotp(tx, user, clock());
  });
}

/**
 * Revokes all tokens and pending links of the user, and forgets failed logins. An unclaimed account becomes active, a
 * disabled one stays disabled.
 * @throws Problem user_not_found, user_state_conflict, validation_failed (password policy), insufficient_scope
 */
export async function setUserPassword(
  { database, clock, passwords, passwordPolicy, loginGuard }: AccountDeps,
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
  await loginGuard.unlock(normalizeEmail(email));
}

type SentLinkKind = (typeof SENT_LINKS)[number];

/**
 * Queues a message with the link. Links that were sent before stay valid.
 * @throws Problem user_not_found, user_state_conflict
 */
export async function sendLink(
  { database, clock }: DatabaseDeps,
  { kind, userId, redirectTo }: { kind: SentLinkKind; userId: string; redirectTo: string | null },
): Promise<void> {
  await database.transaction(async (tx) => {
    const user = await requireEmailOwner(tx, await lockUser(tx, userId));
    const obstacle = getRejectionReason(kind, user);
    if (obstacle !== null) throw new Problem('user_state_conflict', { text: obstacle });
    const now = clock();
    await enqueueMail(tx, { kind, userId, email: user.email, isByAdministrator: true, redirectTo, now });
    await recordEvent(tx, { type: 'link.requested', userId, details: { kind }, now });
  });
}

/** Returns why the link would have no use, or null. */
function getRejectionReason(kind: SentLinkKind, { state, email_verified_at }: UserRow): string | null {
  if (kind === 'claim_account') return state === 'unclaimed' ? null : 'The account is claimed already';
  if (state !== 'active') return 'The user is not active';
  return kind === 'verify_email' && email_verified_at !== null ? 'The email is verified already' : null;
}

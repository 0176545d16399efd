/** Confirms the current or the new email by a link that was sent to it. */
import { type DatabaseDeps, type Tx, UniqueViolation } from '../../../database/database.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import { consumeLink, findLink, revokeLinks } from '../../mail/links/links.ts';
import type { LinkRow } from '../../mail/links/queries.ts';
import { findUser, lockUser, type UserRow, writeUser } from '../../users/records/queries.ts';
import { hasEmail } from '../../users/records/rules.ts';
import { recordEmailChange } from './change-email.ts';
import { emailTaken } from './create-user.ts';

const KINDS = ['verify_email', 'change_email'] as const;

/**
 * Returns the email that a link would confirm now, and leaves it valid. It may be taken meanwhile.
 * @throws Problem link_not_found
 */
export async function findEmailToConfirm({ database, clock }: DatabaseDeps, token: string): Promise<string> {
  const link = await findLink(database, { token, kinds: KINDS, now: clock() });
  requireAccount(link, await findUser(database, link.user_id));
  return link.email;
}

/**
 * Uses the link up and returns its effect. A link that fails with `email_taken` stays valid. `onStored` runs in the same
 * transaction.
 * @throws Problem link_not_found, email_taken
 */
export async function confirmEmail(
  { database, clock }: DatabaseDeps,
  token: string,
  onStored: (tx: Tx, userId: string) => Promise<void> = async () => {},
): Promise<'verified' | 'changed'> {
  try {
    return await database.transaction(async (tx) => {
      const { userId, effect } = await applyLink(tx, token, clock());
      await onStored(tx, userId);
      return effect;
    });
  } catch (error) {
    throw error instanceof UniqueViolation ? emailTaken() : error;
  }
}

async function applyLink(tx: Tx, token: string, now: number) {
  const presented = { token, kinds: KINDS, now };
  const link = await findLink(tx, presented);
  const { kind, email } = link;
  // Locked first, as by every change of an account, so that two of them cannot wait for each other.
  const user = requireAccount(link, await lockUser(tx, link.user_id));
  await consumeLink(tx, presented);
  if (kind === 'change_email') {
    await changeEmail(tx, user, { email, now });
    return { userId: user.id, effect: 'changed' } as const;
  }
  if (user.email_verified_at === null) await verifyEmail(tx, user, now);
  return { userId: user.id, effect: 'verified' } as const;
}

/** Returns the user of a link that still applies. @throws Problem link_not_found */
function requireAccount({ kind, email }: LinkRow, user: UserRow | undefined): UserRow {
  const isUsable = user?.state === 'active' && (kind === 'change_email' || hasEmail(user, email));
  if (!isUsable) throw new Problem('link_not_found');
  return user;
}

async function verifyEmail(tx: Tx, user: UserRow, now: number): Promise<void> {
  await writeUser(tx, { before: user, after: { ...user, email_verified_at: now }, now });
  await recordEvent(tx, { type: 'email.verified', userId: user.id, actor: 'user', now });
}

/** @throws UniqueViolation when another account owns the email */
async function changeEmail(tx: Tx, user: UserRow, { email, now }: { email: string; now: number }) {
  const after = { ...user, email, email_verified_at: now };
  await writeUser(tx, { before: user, after, now });
  await revokeLinks(tx, user, now);
  await recordEmailChange(tx, user, { email, actor: 'user', now });
}

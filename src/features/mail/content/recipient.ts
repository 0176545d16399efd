/** Finds the user and the address of a queued message, unless its reason is gone. */
import type { Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { hasNewPasswordSince } from '../../events/queries.ts';
import { formatUserSubject } from '../../events/record-event.ts';
import { findCredentials, findUser, lockUser, type UserRow } from '../../users/records/queries.ts';
import { hasEmail } from '../../users/records/rules.ts';
import { findLinksSince, type LinkKind } from '../links/queries.ts';
import { hasLaterMail, type MailRow, NOTICE_KINDS } from '../queries.ts';

export interface Recipient {
  /** Null for the operator, and for an address that may have no account. */
  readonly user: UserRow | null;
  readonly to: string;
  /** The step that the link of the message completes; null for a notice, which has none. */
  readonly linkKind: LinkKind | null;
}

/**
 * Returns null for a message that is not needed any more. Locks the user, so that links for one user are created, and
 * counted, one after the other.
 */
export function findRecipient(tx: Tx, mail: MailRow): Promise<Recipient | null> {
  switch (mail.kind) {
    case 'reset_password':
    case 'claim_account':
    case 'verify_email':
      return findOwner(tx, mail);
    case 'change_email':
      return findChangingUser(tx, mail);
    case 'sign_in_code':
      return findCodeRecipient(tx, mail);
    case 'webhook_disabled':
    case 'retention_shortened':
    case 'form_submissions':
    case 'backup_failed':
      return Promise.resolve({ user: null, to: mail.email, linkKind: null });
    default:
      // A kind of a later release, whose nodes send it: here, its attempt fails.
      if (!NOTICE_KINDS.includes(mail.kind)) throw new Error(`Unknown kind of mail: ${mail.kind}`);
      return findNotified(tx, mail);
  }
}

/** The user who has the address now. The link is sent to the address as they have written it, not as typed later. */
async function findOwner(tx: Tx, mail: MailRow): Promise<Recipient | null> {
  const user = await lockOwner(tx, mail);
  if (user === null || (mail.user_id !== null && mail.user_id !== user.id)) return null;
  const linkKind = getLinkKind(mail, user);
  if (linkKind === null || (linkKind === 'reset_password' && (await isRevoked(tx, mail, user)))) return null;
  if (await isSentTwice(tx, mail, { userId: user.id, kind: linkKind })) return null;
  return { user, to: user.email, linkKind };
}

/** Time in which a form is sent again by somebody who has not seen the response. */
const REPETITION_MS = 10_000;

/**
 * Whether a form has requested the message whose first press has sent a link. Decided here, because a response that knew
 * it would differ for addresses without an account.
 */
async function isSentTwice(
  tx: Tx,
  { data, origin, attempts, created_at }: MailRow,
  link: { readonly userId: string; readonly kind: LinkKind },
): Promise<boolean> {
  const { is_form } = JSON.parse(data) as { readonly is_form?: string };
  // Once more by the administrator, or after an attempt of its own, which was killed and has left its link.
  if (is_form === undefined || origin === 'administrator' || attempts > 0) return false;
  return (await findLinksSince(tx, { ...link, since: created_at - REPETITION_MS })).length > 0;
}

async function lockOwner(tx: Tx, { email }: MailRow): Promise<(UserRow & { readonly email: string }) | null> {
  const emailKey = normalizeEmail(email);
  const owner = await findCredentials(tx, emailKey);
  const user = owner && (await lockUser(tx, owner.id));
  if (user?.email == null || normalizeEmail(user.email) !== emailKey) return null;
  return { ...user, email: user.email };
}

/**
 * The user who has the address, also one who has yet to claim the account; for a person who signs up, or nobody. A code
 * that an identity needs is sent to the address whatever it belongs to.
 */
async function findCodeRecipient(tx: Tx, mail: MailRow): Promise<Recipient | null> {
  const { purpose } = JSON.parse(mail.data) as { readonly purpose?: 'sign_in' | 'sign_up' };
  const user = purpose === undefined ? null : await lockOwner(tx, mail);
  if (user === null) return purpose === 'sign_in' ? null : { user, to: mail.email, linkKind: null };
  return user.state === 'disabled' ? null : { user, to: user.email, linkKind: null };
}

/** The step that the state of the user requires; null if none. */
function getLinkKind({ kind }: MailRow, { state, email_verified_at }: UserRow): LinkKind | null {
  if (kind === 'verify_email')
    return state === 'active' && email_verified_at === null ? 'verify_email' : null;
  // Users whose account was created by the administrator may not know that it never had a password.
  if (state === 'unclaimed') return 'claim_account';
  return state === 'active' && kind === 'reset_password' ? 'reset_password' : null;
}

/** A new password revokes the links that exist; this is one that would be created later. */
function isRevoked(tx: Tx, { created_at }: MailRow, { id }: UserRow): Promise<boolean> {
  return hasNewPasswordSince(tx, formatUserSubject(id), created_at);
}

/**
 * The user who wants to change to the address of the message. An address that is taken gets no message: its owner has
 * not requested one, and the change would fail.
 */
async function findChangingUser(tx: Tx, mail: MailRow): Promise<Recipient | null> {
  const user = mail.user_id === null ? undefined : await lockUser(tx, mail.user_id);
  if (user === undefined || user.state !== 'active') return null;
  if (hasEmail(user, mail.email)) return null;
  if ((await isRevoked(tx, mail, user)) || (await isSuperseded(tx, mail, user))) return null;
  if ((await findCredentials(tx, normalizeEmail(mail.email))) !== undefined) return null;
  return { user, to: mail.email, linkKind: 'change_email' };
}

/** Whether the user has later requested another address, in a message that waits or was sent. */
async function isSuperseded(tx: Tx, mail: MailRow, { id }: UserRow): Promise<boolean> {
  if (await hasLaterMail(tx, mail)) return true;
  const links = await findLinksSince(tx, { userId: id, kind: 'change_email', since: mail.created_at });
  return links.some(({ email }) => email !== mail.email);
}

/** A notice is true for every user who exists, and is sent to the address that they had when it was queued. */
async function findNotified(tx: Tx, mail: MailRow): Promise<Recipient | null> {
  const user = mail.user_id === null ? undefined : await findUser(tx, mail.user_id);
  return user === undefined ? null : { user, to: mail.email, linkKind: null };
}

/** Changes of the email of an account, by its user or the administrator. */
import type { ActorType } from '../../../callers/action-context.ts';
import type { DatabaseDeps, Reader, Tx } from '../../../database/database.ts';
import { normalizeOptionalEmail } from '../../../lib/text/normalize.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { findEventTimesSince } from '../../events/queries.ts';
import { formatUserSubject, recordEvent } from '../../events/record-event.ts';
import { enqueueMail, enqueueNotice } from '../../mail/enqueue-mail.ts';
import { LINK_LIFETIME_MS } from '../../mail/links/links.ts';
import { deleteLinksToOthers, requestedEmail } from '../../mail/links/queries.ts';
import { recordDropped } from '../../mail/messages/end-message.ts';
import { deleteMailOfKind } from '../../mail/queries.ts';
import { findCredentials, lockUser, type UserRow } from '../../users/records/queries.ts';
import { requireUser } from '../../users/records/rules.ts';

/** Each request sends a message to an address that need not be the user's. */
const MAX_PER_HOUR = 5;
const REPETITION_MS = MINUTE;

/**
 * Queues a message with a link to the new address, and a notice to the current one if it is verified. The work is the
 * same whether or not the new address is taken: a message to a taken one is dropped when it would be sent. Replaces an
 * earlier request for another address; links that were sent to the same one stay valid, because mail can arrive late. A
 * request for the same one within a minute has been sent twice, and has no effect.
 * @throws Problem too_many_requests
 */
export async function requestEmailChange(
  tx: Tx,
  user: UserRow,
  { email, redirectTo, now }: { email: string; redirectTo: string | null; now: number },
): Promise<void> {
  const { id: userId } = user;
  const requested = await requestedEmail.find(tx, userId, now);
  const isRepeated =
    requested !== undefined && requested.until - LINK_LIFETIME_MS.change_email > now - REPETITION_MS;
  if (isRepeated && requested.email === email) return;
  await rejectIfTooMany(tx, userId, now);
  await dropRequests(tx, { userId, email, now });
  await requestedEmail.write(tx, { userId, email, until: now + LINK_LIFETIME_MS.change_email });
  await enqueueMail(tx, { kind: 'change_email', userId, email, redirectTo, now });
  await recordEvent(tx, { type: 'email.change_requested', userId, now });
  await enqueueNotice(tx, user, { kind: 'email_change_requested', data: { new_email: email }, now });
}

/** Deletes messages of earlier requests, and links to other addresses than this one. */
async function dropRequests(tx: Tx, { userId, email, now }: { userId: string; email: string; now: number }) {
  // The messages first, as in `revokeLinks`.
  const superseded = await deleteMailOfKind(tx, userId, 'change_email');
  await deleteLinksToOthers(tx, { userId, kind: 'change_email', email });
  await recordDropped(tx, superseded, now);
}

/** Sends another link to the address that waits to be confirmed, if there is one. @throws Problem too_many_requests */
export function repeatEmailChange({ database, clock }: DatabaseDeps, userId: string): Promise<void> {
  return database.transaction(async (tx) => {
    const now = clock();
    const user = await lockUser(tx, userId);
    const requested = await requestedEmail.find(tx, userId, now);
    if (user === undefined || requested === undefined) return;
    await requestEmailChange(tx, user, { email: requested.email, redirectTo: null, now });
  });
}

/** Ends a request for a new address: its links are not valid any more. */
export function cancelEmailChange({ database, clock }: DatabaseDeps, userId: string): Promise<void> {
  return database.transaction(async (tx) => {
    await lockUser(tx, userId);
    await dropRequests(tx, { userId, email: '', now: clock() });
    await requestedEmail.remove(tx, userId);
  });
}

async function rejectIfTooMany(tx: Tx, userId: string, now: number): Promise<void> {
  const requests = await findEventTimesSince(tx, {
    subject: formatUserSubject(userId),
    type: 'email.change_requested',
    since: now - HOUR,
    limit: MAX_PER_HOUR,
  });
  if (requests.length < MAX_PER_HOUR) return;
  const first = Math.min(...requests.map(({ created_at }) => created_at));
  const retryAfterSeconds = Math.max(1, Math.ceil((first + HOUR - now) / 1000));
  throw new Problem('too_many_requests', { retryAfterSeconds });
}

/**
 * Requires that a user owns their email: anyone can create a record with the email of another person, who must not get
 * that record by a password or link. @throws Problem user_not_found, user_state_conflict
 */
export async function requireEmailOwner(reader: Reader, found: UserRow | undefined) {
  const user = requireUser(found);
  const { email } = user;
  const emailKey = normalizeOptionalEmail(email);
  const owner = emailKey === null ? undefined : await findCredentials(reader, emailKey);
  if (email === null || owner?.id !== user.id) {
    throw new Problem('user_state_conflict', { text: 'The record does not own its email' });
  }
  return { ...user, email };
}

/** Records that the user has another email (null: none any more), and notifies the earlier address (OWASP ASVS 5.0, 6.3.7). */
export async function recordEmailChange(
  tx: Tx,
  before: UserRow,
  { email, actor, now }: { email: string | null; actor: ActorType; now: number },
): Promise<void> {
  await recordEvent(tx, { type: 'email.changed', userId: before.id, actor, now });
  const data: Record<string, string> = email === null ? {} : { new_email: email };
  await enqueueNotice(tx, before, { kind: 'email_changed', data, now });
}

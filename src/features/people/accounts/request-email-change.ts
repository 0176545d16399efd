/** Requests a confirmation from the new address of an account. */
import type { Tx } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { findEventTimesSince } from '../../events/queries.ts';
import { formatUserSubject, recordEvent } from '../../events/record-event.ts';
import { enqueueMail, enqueueNotice } from '../../mail/enqueue-mail.ts';
import { deleteLinksToOthers } from '../../mail/links/queries.ts';
import { recordDropped } from '../../mail/messages/end-message.ts';
import { deleteMailOfKind } from '../../mail/queries.ts';
import type { UserRow } from '../../users/records/queries.ts';

/** Each request sends a message to an address that need not be the user's. */
const MAX_PER_HOUR = 5;

/**
 * Queues a message with a link to the new address, and a notice to the current one if it is verified. The work is the
 * same whether or not the new address is taken: a message to a taken one is dropped when it would be sent. Replaces an
 * earlier request for another address; links that were sent to the same one stay valid, because mail can arrive late.
 * @throws Problem too_many_requests
 */
export async function requestEmailChange(
  tx: Tx,
  user: UserRow,
  { email, redirectTo, now }: { email: string; redirectTo: string | null; now: number },
): Promise<void> {
  const { id: userId } = user;
  await rejectIfTooMany(tx, userId, now);
  // The messages first, as in `revokeLinks`.
  const superseded = await deleteMailOfKind(tx, userId, 'change_email');
  await deleteLinksToOthers(tx, { userId, kind: 'change_email', email });
  await recordDropped(tx, superseded, now);
  await enqueueMail(tx, { kind: 'change_email', userId, email, redirectTo, now });
  await recordEvent(tx, { type: 'email.change_requested', userId, now });
  await enqueueNotice(tx, user, { kind: 'email_change_requested', data: { new_email: email }, now });
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

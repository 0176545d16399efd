/** Sends a message now or once more, and cancels one, on behalf of the administrator. */
import type { Tx } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { formatUserSubject, recordEvent } from '../../events/record-event.ts';
import { attemptNow } from '../../jobs/queries.ts';
import { lockUser } from '../../users/records/queries.ts';
import { enqueueAgain } from '../enqueue-mail.ts';
import { findUserId, recordEnd } from './end-message.ts';
import { findQueued, isRetryable, removeEnded, removeQueued, type StoredMessage } from './queries.ts';
import { findMessage } from './read-messages.ts';

interface ChangeMessageDeps {
  readonly clock: Clock;
}

/**
 * Sends a message that waits at once. One that has failed or was cancelled gets the attempts and the time of a new
 * one; what its link would do is decided as at first, so that a new password revokes it. A message that is being sent
 * stays as it is. @throws Problem mail_not_found, mail_state_conflict (it was sent or dropped)
 */
export async function retryMessage({ clock }: ChangeMessageDeps, tx: Tx, id: string): Promise<StoredMessage> {
  const now = clock();
  const message = await lockMessage(tx, id, now);
  if (message.ended_at === null) await attemptNow(tx, id, now);
  else await sendAgain(tx, message, now);
  await recordMailChange(tx, message, { type: 'mail.retried', now });
  return (await findQueued(tx, { id, now }))!;
}

async function sendAgain(tx: Tx, message: StoredMessage, now: number): Promise<void> {
  if (!isRetryable(message.state) || message.data === null || !(await removeEnded(tx, message)))
    throw new Problem('mail_state_conflict');
  await enqueueAgain(tx, { ...message, data: message.data }, now);
}

/** @throws Problem mail_not_found, mail_state_conflict (it is being sent, or has ended) */
export async function cancelMessage(
  { clock }: ChangeMessageDeps,
  tx: Tx,
  id: string,
): Promise<StoredMessage> {
  const now = clock();
  const message = await lockMessage(tx, id, now);
  const { data } = message;
  if (data === null || message.ended_at !== null || !(await removeQueued(tx, id, now)))
    throw new Problem('mail_state_conflict');
  await recordEnd(tx, { ...message, data }, { state: 'cancelled', now });
  await recordMailChange(tx, message, { type: 'mail.cancelled', now });
  return { ...message, state: 'cancelled', next_attempt_at: null, expires_at: null, ended_at: now };
}

/** Finds a message and locks its user, as everything does that ends messages. @throws Problem mail_not_found */
async function lockMessage(tx: Tx, id: string, now: number): Promise<StoredMessage> {
  const userId = await findUserId(tx, await findMessage(tx, id, now));
  if (userId !== null) await lockUser(tx, userId);
  // Once more, because it may have changed before the user was locked.
  return { ...(await findMessage(tx, id, now)), user_id: userId };
}

async function recordMailChange(
  tx: Tx,
  { id, kind, user_id }: StoredMessage,
  act: { readonly type: 'mail.retried' | 'mail.cancelled'; readonly now: number },
): Promise<void> {
  const subject = user_id === null ? `mail:${id}` : formatUserSubject(user_id);
  await recordEvent(tx, { ...act, subject, details: { mail_id: id, kind } });
}

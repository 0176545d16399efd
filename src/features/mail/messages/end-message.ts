/** Records how messages have ended, in the transaction that deletes them from the queue. */
import { readCounter } from '../../../database/counters.ts';
import type { Reader, Tx } from '../../../database/database.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { dropJob } from '../../jobs/queries.ts';
import { findCredentials, lockUser } from '../../users/records/queries.ts';
import { isToOperator, type MailRow } from '../queries.ts';
import * as queries from './queries.ts';

/** Messages to one address that are kept in each state, so that nobody can fill the table by requests for one. */
const MAX_KEPT = 100;
/** Texts that are kept where messages are logged. */
const MAX_CONTENTS = 100;
/** Rows that one message deletes at most: more than it can be too many by. */
const MAX_TRIMMED = 10;

/**
 * Records the end of a message to a user or to the operator. A message to an address without an account leaves
 * nothing: the address is that of a person who has not asked for anything. Locks the user first, as every transaction
 * that changes one does, so that nothing is recorded of a user who is erased.
 */
export async function recordEnd(
  tx: Tx,
  mail: Omit<MailRow, 'origin' | 'expires_at'>,
  outcome: { state: queries.EndState; reason?: queries.EndReason; content?: Uint8Array | null; now: number },
): Promise<void> {
  const { state, reason, content = null, now } = outcome;
  const userId = await findUserId(tx, mail);
  if (userId === null ? !isToOperator(mail.kind) : (await lockUser(tx, userId)) === undefined) return;
  const emailKey = normalizeEmail(mail.email);
  const data = state === 'dropped' ? null : mail.data;
  const end = { state, reason: reason ?? null, data, content, ended_at: now };
  await queries.insertEnded(tx, { ...mail, user_id: userId, email_key: emailKey, ...end });
  await queries.trimEnded(tx, { emailKey, state, kept: MAX_KEPT, limit: MAX_TRIMMED });
  if (content !== null) await queries.trimContents(tx, MAX_CONTENTS, MAX_TRIMMED);
}

/** The user of a message, or the account of the address to which anybody has requested it. */
export async function findUserId(
  reader: Reader,
  { user_id, email, kind }: Pick<MailRow, 'user_id' | 'email' | 'kind'>,
): Promise<string | null> {
  if (user_id !== null || isToOperator(kind)) return user_id;
  return (await findCredentials(reader, normalizeEmail(email)))?.id ?? null;
}

/** Records that messages were deleted because their reason is gone. */
export async function recordDropped(tx: Tx, messages: readonly MailRow[], now: number): Promise<void> {
  for (const mail of messages) await recordEnd(tx, mail, { state: 'dropped', reason: 'not_needed', now });
}

/** Ends a message that has expired, unless another node has been faster. */
export async function expireMessage(tx: Tx, mail: MailRow, now: number): Promise<void> {
  // The user before the message, as everywhere.
  const userId = await findUserId(tx, mail);
  if (userId !== null) await lockUser(tx, userId);
  if (await dropJob(tx, mail)) await recordEnd(tx, mail, { state: 'failed', reason: 'expired', now });
}

/** Messages per transaction: each takes several statements. */
const MAX_EXPIRED = 50;

/** Ends messages that have expired; returns `limit` if there may be more. */
export async function expireMessages(tx: Tx, now: number, limit: number): Promise<number> {
  const expired = await queries.findExpiredMail(tx, now, Math.min(limit, MAX_EXPIRED));
  for (const mail of expired) await expireMessage(tx, mail, now);
  return expired.length === MAX_EXPIRED ? limit : expired.length;
}

const COUNTER = 'mail_dropped';

export function countDropped(tx: Tx): void {
  tx.count(COUNTER, 0, 1);
}

/** Returns the number of messages that were dropped since the database was set up. */
export const readDropped = (reader: Reader): Promise<number> => readCounter(reader, COUNTER);

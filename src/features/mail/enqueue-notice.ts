/** Queues notices about events of an account, in the transaction of the event. */
import type { Tx } from '../../database/database.ts';
import { enqueueMail } from './enqueue-mail.ts';
import { hasWaitingNotice, type NoticeKind } from './queries.ts';

/**
 * Queues a notice, unless one of its kind waits for the user already: the earlier one stays, because a client that
 * repeats the event could otherwise keep its notice from being sent. An address that was never verified may belong to
 * another person, who would receive every event of the account: it only receives the last notice, that it is no longer
 * that of the account.
 */
export async function enqueueNotice(
  tx: Tx,
  user: {
    readonly id: string;
    readonly email: string | null;
    /** Null if the address is not verified. */
    readonly email_verified_at: number | null;
  },
  notice: {
    readonly kind: NoticeKind;
    readonly data?: Readonly<Record<string, string>>;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): Promise<void> {
  const { id: userId, email, email_verified_at } = user;
  const { kind, now } = notice;
  if (email === null || (email_verified_at === null && kind !== 'email_changed')) return;
  if (await hasWaitingNotice(tx, { userId, kind, now })) return;
  await enqueueMail(tx, { ...notice, userId, email });
}

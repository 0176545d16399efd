/** Applies the limits of a recipient to a message, at each attempt to send it. */
import type { Tx } from '../../../database/database.ts';
import { type CountedKind, isOverLimit, recentSends, type Send } from './limits.ts';
import { lockRecipient, writeRecipient } from './queries.ts';

/**
 * Records an attempt to send the message, unless its recipient has got as many as limits allow: then returns false.
 * Nodes that send to one recipient wait for each other. Earlier attempts of the same message do not count; after a
 * failure it keeps its place for an hour, so that no more messages wait than may be sent.
 */
export async function admitMessage(
  tx: Tx,
  message: {
    readonly id: string;
    readonly kind: CountedKind;
    /** A keyed hash of the normalized address. */
    readonly recipient: string;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): Promise<boolean> {
  const { id, kind, recipient, now } = message;
  const stored: Send[] = JSON.parse(await lockRecipient(tx, recipient, now));
  const others = recentSends(stored, now).filter((send) => send.id !== id);
  if (isOverLimit(others, kind, now)) return false;
  await writeRecipient(tx, { recipient, sends: JSON.stringify([...others, { id, kind, at: now }]), now });
  return true;
}

/** Limits of the messages to one address, regardless of their cause. */
import type { Tx } from '../../../database/database.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time.ts';
import { lockRecipient, type MailKind, writeRecipient } from '../queries.ts';

/** Kinds that are counted separately: links that the administrator has requested count as one. */
export type CountedKind = MailKind | 'administrator';

/** A message whose sending has begun. */
export interface Send {
  /** The id of the message, whose attempts count once. */
  readonly id: string;
  readonly kind: CountedKind;
  /** Time of the latest attempt in epoch milliseconds. */
  readonly at: number;
  /** The network that has requested a code, as a keyed hash; absent for all other messages. */
  readonly network?: string | undefined;
}

/** `ofKind`: codes by the network that requests them; `together`: messages of all kinds except those of `SEPARATE`. */
const LIMITS = [
  { periodMs: HOUR, ofKind: 3, together: 6 },
  { periodMs: DAY, ofKind: 10, together: 20 },
] as const;

/**
 * Not counted together with the others, so that other requests cannot prevent a reset, or the administrator from
 * sending a link, by having other messages sent to the address; nor codes, which others can request at a provider that
 * verifies no addresses. All kinds together: 70 in a day.
 */
const SEPARATE: readonly CountedKind[] = ['reset_password', 'administrator', 'sign_in_code'];

/** Most codes that are sent to an address in a day: those that three networks can request. */
const MAX_CODES = 30;

/** Sends that are later than now by more than the clocks of nodes differ: a clock was ahead, and they do not count. */
const TOLERANCE_MS = MINUTE;

/** Returns the sends that limits depend on: 70 at most. */
export function recentSends(sends: readonly Send[], now: number): Send[] {
  return sends.filter(({ at }) => at > now - DAY && at <= now + TOLERANCE_MS);
}

/** Whether another send would exceed a limit. */
export function isOverLimit(sends: readonly Send[], { kind, network, at: now }: Omit<Send, 'id'>): boolean {
  return LIMITS.some(({ periodMs, ofKind, together }) => {
    const recent = sends.filter(({ at }) => at > now - periodMs);
    const same = recent.filter((send) => send.kind === kind);
    if (same.length >= MAX_CODES) return true;
    if (same.filter((send) => send.network === network).length >= ofKind) return true;
    if (SEPARATE.includes(kind)) return false;
    return recent.filter((send) => !SEPARATE.includes(send.kind)).length >= together;
  });
}

/**
 * Records an attempt to send the message, unless its recipient has got as many as limits allow: then returns false.
 * Nodes that send to one recipient wait for each other. Earlier attempts of the same message do not count; after a
 * failure it keeps its place for an hour, so that no more messages wait than may be sent.
 */
export async function admitMessage(
  tx: Tx,
  message: Pick<Send, 'id' | 'kind' | 'network'> & {
    /** A keyed hash of the normalized address. */
    readonly recipient: string;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): Promise<boolean> {
  const { id, kind, recipient, network, now } = message;
  const send = { id, kind, at: now, network };
  const stored: Send[] = JSON.parse(await lockRecipient(tx, recipient, now));
  const others = recentSends(stored, now).filter((send) => send.id !== id);
  if (isOverLimit(others, send)) return false;
  await writeRecipient(tx, { recipient, sends: JSON.stringify([...others, send]), now });
  return true;
}

/** Client in the hashing queue for the password of a login attempt. */

import type { QueueClient } from '../../../../lib/queues/queue-lanes.ts';
import { DAY } from '../../../../lib/time/clock.ts';
import { toHashingClient } from '../passwords/hashing-client.ts';

/**
 * Time from the first login of an account from a network until the network is known, so that an attacker cannot make
 * networks known when they are needed.
 */
const KNOWN_AFTER_MS = DAY;

export interface AttemptOrigin {
  /** The id of the user; null for an unknown email. */
  readonly userId: string | null;
  readonly clientIp: string;
  /** When the account has first logged in from this network; null if it never has. */
  readonly firstLoginAt: number | null;
  readonly now: number;
}

/** Returns the client: a known one if the first login of the account from this network was a day ago. */
export function getAttemptClient({ userId, clientIp, firstLoginAt, now }: AttemptOrigin): QueueClient {
  const isKnown = firstLoginAt !== null && now - firstLoginAt >= KNOWN_AFTER_MS;
  return toHashingClient(clientIp, isKnown ? userId : null);
}

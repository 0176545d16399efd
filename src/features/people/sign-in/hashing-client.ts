/** Clients of the hashing queue: they share the threads and the queue fairly (lib/queue-lanes.ts). */
import { getWidestNetwork } from '../../../lib/network.ts';
import type { QueueClient } from '../../../lib/queues/queue-lanes.ts';
import { DAY } from '../../../lib/time.ts';

/** For passwords that the administrator sets. */
export const ADMINISTRATOR: QueueClient = { network: 'administrator', account: 'administrator' };

/** Returns the client of a request. `account`: the id of the user, if the client is known to be that user. */
export function toHashingClient(clientIp: string, account: string | null): QueueClient {
  return { network: getWidestNetwork(clientIp), account };
}

/** Time from the first login until a network is known, so that an attacker cannot make networks known at will. */
const KNOWN_AFTER_MS = DAY;

/** Returns the client of a login attempt: a known one if the first login of the account from this network was a day ago. */
export function getAttemptClient(attempt: {
  /** Null for an unknown email. */
  readonly userId: string | null;
  readonly clientIp: string;
  /** When the account has first logged in from this network; null if it never has. */
  readonly firstLoginAt: number | null;
  readonly now: number;
}): QueueClient {
  const { userId, clientIp, firstLoginAt, now } = attempt;
  const isKnown = firstLoginAt !== null && now - firstLoginAt >= KNOWN_AFTER_MS;
  return toHashingClient(clientIp, isKnown ? userId : null);
}

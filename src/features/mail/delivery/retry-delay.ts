/** Delays between attempts to send a message. */
import { HOUR, MINUTE } from '../../../lib/time.ts';

/** Delays differ by up to this share, so that messages which failed together do not return together. */
const JITTER = 0.2;

export const MAX_RETRY_DELAY_MS = HOUR * (1 + JITTER);

/**
 * Returns the milliseconds after which a message is sent again: 1, 2, 4 … minutes, up to an hour, each up to a fifth
 * less or more. `random` is in [0, 1).
 */
export function retryDelay(failedAttempts: number, random: number): number {
  const delay = Math.min(MINUTE * 2 ** (failedAttempts - 1), HOUR);
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

import { HOUR, MINUTE } from '../../lib/clock.ts';

/**
 * Returns the milliseconds after which a message is sent again: 1, 2, 4 … minutes, up to an hour, each up to a fifth
 * less or more, so that messages which failed together do not return together. `random` is in [0, 1).
 */
export function retryDelay(failedAttempts: number, random: number): number {
  const delay = Math.min(MINUTE * 2 ** (failedAttempts - 1), HOUR);
  return Math.round(delay * (0.8 + 0.4 * random));
}

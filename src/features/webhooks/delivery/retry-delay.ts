/** Delays between attempts to deliver an event. */
import { DAY, HOUR, MINUTE } from '../../../lib/time.ts';

const DELAYS_MS = [
  5_000,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Delays differ by up to this share, so that deliveries which failed together do not return together. */
const JITTER = 0.2;

/** After that many failed attempts, a delivery has failed for good. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;
/** The longest time that a receiver can ask for. */
export const MAX_RETRY_AFTER_MS = DAY;
export const MAX_RETRY_DELAY_MS = 24 * HOUR * (1 + JITTER);

/** Returns the milliseconds until the next attempt, not less than the receiver asks for; null after the last one. */
export function retryDelay({
  attempts,
  retryAfter,
  now,
  random,
}: {
  attempts: number;
  retryAfter: string | null;
  now: number;
  random: number;
}): number | null {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const requested = Math.min(readRetryAfter(retryAfter, now), MAX_RETRY_AFTER_MS);
  return Math.max(Math.round(delay * (1 - JITTER + 2 * JITTER * random)), requested);
}

/** Returns the milliseconds that the header asks for (RFC 9110 section 10.2.3); 0 for anything else. */
function readRetryAfter(value: string | null, now: number): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}

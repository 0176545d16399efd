/** When a signing key is published, signs and is removed. Times in epoch milliseconds. */
import { DAY, HOUR, MINUTE } from '../../../../lib/time.ts';

/** Lifetime of a JSON Web Token for services. */
export const JWT_LIFETIME_SECONDS = 300;
/** Lifetime of an ID token, the longest of all. */
export const ID_TOKEN_LIFETIME_SECONDS = 3_600;
/** Time for which caches may keep the key set. */
export const KEY_SET_MAX_AGE_SECONDS = 300;
/** Time for which a node keeps the keys in memory. */
export const KEY_CACHE_MS = 10_000;

const SIGNING_MS = 30 * DAY;
/** From the publication of a successor until it signs, for caches that keep a key set for too long. */
export const PUBLICATION_LEAD_MS = HOUR;
/** Housekeeping publishes a successor so early that it may fail for hours. */
const PUBLISHED_AHEAD_MS = DAY;
/** Between this service and those who verify. */
const CLOCK_SKEW_MS = 5 * MINUTE;
/** Time for which a key stays published after its last signature. */
export const RETENTION_MS = (ID_TOKEN_LIFETIME_SECONDS + KEY_SET_MAX_AGE_SECONDS) * 1000 + CLOCK_SKEW_MS;

export interface KeyTimes {
  readonly signs_from: number;
  /** Null: until it has a successor. */
  readonly signs_until: number | null;
  /** Null as long as `signs_until` is. */
  readonly removed_at: number | null;
}

/** Returns the key that signs at `now`, of keys in the order of `signs_from`; undefined if there is none. */
export function findSigningKey<T extends KeyTimes>(keys: readonly T[], now: number): T | undefined {
  const usable = keys.filter(({ signs_until }) => signs_until === null || signs_until > now);
  // The clock may have been set back: better a published key too early than none.
  return usable.findLast(({ signs_from }) => signs_from <= now) ?? usable[0];
}

/** Returns the keys by which tokens are verified at `now`, those to come included. */
export function findPublishedKeys<T extends KeyTimes>(keys: readonly T[], now: number): T[] {
  return keys.filter(({ removed_at }) => removed_at === null || removed_at > now);
}

/** Returns when a new key has to begin to sign; null if none is needed at `now`. */
export function findDueStart(keys: readonly KeyTimes[], now: number): number | null {
  const newest = keys.findLast(({ signs_until }) => signs_until === null);
  // Nobody has cached a key set that could lack the first key.
  if (newest === undefined) return now;
  const end = newest.signs_from + SIGNING_MS;
  return end - now > PUBLISHED_AHEAD_MS ? null : Math.max(end, now + PUBLICATION_LEAD_MS);
}

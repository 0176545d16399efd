import { formatTimestamp, optionalTimestamp } from '../../../lib/time/clock.ts';
import { findSigningKey, type KeyTimes } from './key-times.ts';
import type { SigningKeyRow } from './queries.ts';

/** Returns the published keys as commands show them, without the private keys. */
export function signingKeyViews(keys: readonly SigningKeyRow[], now: number) {
  const signing = findSigningKey(keys, now);
  return keys.map((key) => ({
    id: key.id,
    state: key === signing ? 'signing' : getOtherState(key, now),
    created_at: formatTimestamp(key.created_at),
    signs_from: formatTimestamp(key.signs_from),
    signs_until: optionalTimestamp(key.signs_until),
    removed_at: optionalTimestamp(key.removed_at),
  }));
}

function getOtherState({ signs_from, signs_until }: KeyTimes, now: number): 'next' | 'retired' {
  return signs_from > now && (signs_until === null || signs_until > signs_from) ? 'next' : 'retired';
}

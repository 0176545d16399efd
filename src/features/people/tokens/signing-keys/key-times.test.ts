import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../../../lib/time.ts';
import {
  findDueStart,
  findPublishedKeys,
  findSigningKey,
  JWT_LIFETIME_SECONDS,
  KEY_CACHE_MS,
  KEY_SET_MAX_AGE_SECONDS,
  type KeyTimes,
  PUBLICATION_LEAD_MS,
  RETENTION_MS,
} from './key-times.ts';

const JWT_MS = JWT_LIFETIME_SECONDS * 1000;
/** The age of a key set in a cache, with that of the keys of the node that it came from. */
const MAX_AGE_MS = KEY_SET_MAX_AGE_SECONDS * 1000 + KEY_CACHE_MS;

interface Key extends KeyTimes {
  readonly created_at: number;
}

/** Adds a key as the database does. */
function addKey(keys: readonly Key[], now: number, signsFrom: number): Key[] {
  const retired = { signs_until: signsFrom, removed_at: signsFrom + RETENTION_MS };
  return [
    ...keys.map((key) =>
      key.signs_until === null || key.signs_until > signsFrom ? { ...key, ...retired } : key,
    ),
    { created_at: now, signs_from: signsFrom, signs_until: null, removed_at: null },
  ].toSorted((a, b) => a.signs_from - b.signs_from);
}

describe('the times of signing keys', () => {
  test('the first key signs at once, and a successor is published a day before 30 days have passed', () => {
    assert.equal(findDueStart([], 5), 5);
    const keys = addKey([], 0, 0);
    assert.equal(findDueStart(keys, 29 * DAY - 1), null);
    assert.equal(findDueStart(keys, 29 * DAY), 30 * DAY);
    assert.equal(findDueStart(addKey(keys, 29 * DAY, 30 * DAY), 29 * DAY), null);
  });

  test('a successor that comes late is published for an hour before it signs, and the key before it goes on', () => {
    const now = 45 * DAY;
    const keys = addKey([], 0, 0);
    assert.equal(findDueStart(keys, now), now + HOUR);
    const both = addKey(keys, now, now + HOUR);
    assert.equal(findSigningKey(both, now + HOUR - 1), both[0]);
    assert.equal(findSigningKey(both, now + HOUR), both[1]);
  });

  test('a key stays published until its last token has expired everywhere', () => {
    const keys = addKey(addKey([], 0, 0), 29 * DAY, 30 * DAY);
    assert.deepEqual(findPublishedKeys(keys, 30 * DAY + 70 * MINUTE - 1), keys);
    assert.deepEqual(findPublishedKeys(keys, 30 * DAY + 70 * MINUTE), [keys[1]]);
  });

  test('a key that was created before the clock was set back signs all the same', () => {
    const keys = addKey([], DAY, DAY);
    assert.equal(findSigningKey(keys, 0), keys[0]);
    assert.equal(findSigningKey([], 0), undefined);
  });

  test('whenever housekeeping runs and operators rotate, cached keys verify every token that has not expired', () => {
    const steps = fc.array(
      fc.record({ pause: fc.integer({ min: 1, max: 3 * DAY }), rotates: fc.boolean() }),
      { minLength: 30, maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (history) => {
        let keys = addKey([], 0, 0);
        let now = 0;
        for (const { pause, rotates } of history) {
          now += pause;
          const start = rotates ? now + PUBLICATION_LEAD_MS : findDueStart(keys, now);
          if (start !== null) keys = addKey(keys, now, start);
        }
        assertAlwaysVerifiable(keys);
      }),
    );
  });
});

/** Asserts for every key that signs at some time that whoever may verify its tokens has it. */
function assertAlwaysVerifiable(keys: readonly Key[]): void {
  const changes = keys.flatMap((key) => [key.signs_from, (key.signs_until ?? key.signs_from) - 1]);
  for (const issuedAt of changes) {
    const key = findSigningKey(keys, issuedAt)!;
    assert.ok(key.created_at === 0 || key.created_at <= issuedAt - MAX_AGE_MS, 'known to caches');
    assert.ok(key.removed_at === null || key.removed_at >= issuedAt + JWT_MS + MAX_AGE_MS, 'still published');
  }
}

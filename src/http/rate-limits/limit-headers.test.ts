import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Decision } from './gcra.ts';
import { limitLines, type Outcome } from './limit-headers.ts';
import type { AdvertisedLimit } from './limits.ts';

function outcome(
  name: AdvertisedLimit,
  limit: number,
  windowSeconds: number,
  decision: Partial<Decision>,
): Outcome {
  const full = { allowed: true, remaining: limit, nextSeconds: 0, retryAfterSeconds: 0, fullAt: 0 };
  return { name, quota: { name, limit, windowSeconds }, decision: { ...full, ...decision } };
}

/** Names and values. */
const limitHeaders = (outcomes: Outcome[]) => {
  const lines = limitLines(outcomes).split('\r\n');
  assert.equal(lines.pop(), '', 'every line has its end');
  return lines.flatMap((line) => line.split(': '));
};

const minute = outcome('register', 30, 60, { remaining: 29, nextSeconds: 2, fullAt: 1_760_000_002_000 });
const hour = outcome('register-hour', 200, 3600, {
  remaining: 7,
  nextSeconds: 18,
  fullAt: 1_760_003_474_001,
});

describe('limit headers', () => {
  test('are none where nothing was counted', () => assert.equal(limitLines([]), ''));

  test('name the policy and what is left of it, in both families', () => {
    assert.deepEqual(limitHeaders([minute]), [
      'RateLimit-Policy',
      '"register";q=30;w=60',
      'RateLimit',
      '"register";r=29;t=2',
      'X-RateLimit-Limit',
      '30',
      'X-RateLimit-Remaining',
      '29',
      'X-RateLimit-Reset',
      '1760000002',
    ]);
  });

  test('list all policies in the order in which they were counted', () => {
    const [, policies, , states] = limitHeaders([minute, hour]);
    assert.equal(policies, '"register";q=30;w=60, "register-hour";q=200;w=3600');
    assert.equal(states, '"register";r=29;t=2, "register-hour";r=7;t=18');
  });

  test('show in the X- family the one with the least left, wherever it stands', () => {
    for (const outcomes of [
      [minute, hour],
      [hour, minute],
    ]) {
      assert.deepEqual(limitHeaders(outcomes).slice(5), [
        '200',
        'X-RateLimit-Remaining',
        '7',
        'X-RateLimit-Reset',
        '1760003475',
      ]);
    }
  });

  test('never promise the whole quota earlier than it is there', () => {
    for (const [fullAt, shown] of [
      [1_760_000_000_000, '1760000000'],
      [1_760_000_000_001, '1760000001'],
      [1_760_000_000_999, '1760000001'],
    ] as const) {
      assert.equal(limitHeaders([outcome('anon', 1, 60, { fullAt })]).at(-1), shown);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Decision } from '../../rate-limits/gcra.ts';
import type { AdvertisedLimit } from '../../rate-limits/limits.ts';
import { type LimitOutcome, limitHeaders } from './limit-headers.ts';

const NOW = 1_760_000_000_000;

function outcome(
  name: AdvertisedLimit,
  limit: number,
  windowSeconds: number,
  decision: Partial<Decision>,
): LimitOutcome {
  const full = { allowed: true, remaining: limit, nextSeconds: 0, retryAfterSeconds: 0, resetMs: 0 };
  return { name, quota: { name, limit, windowSeconds }, decision: { ...full, ...decision } };
}

const minute = outcome('register', 30, 60, { remaining: 29, nextSeconds: 2, resetMs: 2_000 });
const hour = outcome('register-hour', 200, 3600, { remaining: 7, nextSeconds: 18, resetMs: 3_474_001 });

describe('limitHeaders', () => {
  test('limitHeaders describes the policy and its remaining quota in both header families', () => {
    assert.deepEqual(limitHeaders([minute], NOW), {
      'ratelimit-policy': '"register";q=30;w=60',
      ratelimit: '"register";r=29;t=2',
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '1760000002',
    });
  });

  test('limitHeaders lists all policies in the order in which they counted the request', () => {
    const headers = limitHeaders([minute, hour], NOW);
    assert.equal(headers['ratelimit-policy'], '"register";q=30;w=60, "register-hour";q=200;w=3600');
    assert.equal(headers.ratelimit, '"register";r=29;t=2, "register-hour";r=7;t=18');
  });

  test('limitHeaders shows the limit with the fewest remaining requests in the X-RateLimit family, in any order', () => {
    for (const outcomes of [
      [minute, hour],
      [hour, minute],
    ]) {
      const { 'ratelimit-policy': _policy, ratelimit: _state, ...single } = limitHeaders(outcomes, NOW);
      assert.deepEqual(single, {
        'x-ratelimit-limit': '200',
        'x-ratelimit-remaining': '7',
        'x-ratelimit-reset': '1760003475',
      });
    }
  });

  test('limitHeaders rounds X-RateLimit-Reset up to whole epoch seconds', () => {
    for (const [now, resetMs, shown] of [
      [NOW, 0, '1760000000'],
      [NOW, 1, '1760000001'],
      [NOW + 998, 1, '1760000001'],
      [NOW + 999, 1, '1760000001'],
      [NOW + 999, 2, '1760000002'],
    ] as const) {
      assert.equal(limitHeaders([outcome('anon', 1, 60, { resetMs })], now)['x-ratelimit-reset'], shown);
    }
  });
});

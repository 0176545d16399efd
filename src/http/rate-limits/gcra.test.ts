import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decide, foresee, type Quota } from './gcra.ts';

const start = Date.UTC(2026, 0, 1);

const quotas = (maximumLimit: number): fc.Arbitrary<Quota> =>
  fc.record({
    name: fc.constant('any'),
    limit: fc.integer({ min: 1, max: maximumLimit }),
    windowSeconds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constantFrom(900, 3600, 86_400)),
  });

/** Time between requests: none, a few milliseconds, about an interval, up to a window. */
const pause = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(10_000), fc.nat(86_400_000));

describe('a quota', () => {
  it('answers a first request with the figures of its policy', () => {
    const { decision } = decide({ name: 'anon', limit: 120, windowSeconds: 60 }, undefined, start);
    const figures = { remaining: 119, nextSeconds: 1, retryAfterSeconds: 0, resetMs: 500 };
    assert.deepEqual(decision, { allowed: true, ...figures });
    const sevenths = decide({ name: 'any', limit: 7, windowSeconds: 60 }, undefined, start).decision;
    assert.equal(sevenths.resetMs, 8572);
  });

  it('is whole for a client never seen, one whose debt is paid, and nobody else', () => {
    const quota = { name: 'any', limit: 3, windowSeconds: 60 };
    const whole = { allowed: true, remaining: 3, nextSeconds: 0, retryAfterSeconds: 0, resetMs: 0 };
    assert.deepEqual(foresee(quota, undefined, start), whole);
    assert.deepEqual(foresee(quota, start, start), whole);
    assert.equal(foresee(quota, start + 1, start).remaining, 2);
  });

  it('gives its limit at one instant, one less each time, then refuses, and is whole after one window', () => {
    fc.assert(
      fc.property(quotas(1000), (quota) => {
        let tat: number | undefined;
        for (let remaining = quota.limit - 1; remaining >= 0; remaining -= 1) {
          const answer = decide(quota, tat, start);
          assert.equal(answer.decision.allowed, true);
          assert.equal(answer.decision.remaining, remaining);
          tat = answer.tat;
        }
        assert.equal(decide(quota, tat, start).decision.allowed, false);
        const windowEnd = start + quota.windowSeconds * 1000;
        assert.equal(foresee(quota, tat, start).resetMs, windowEnd - start);
        assert.equal(foresee(quota, tat, windowEnd).remaining, quota.limit);
        assert.equal(foresee(quota, tat, windowEnd - 1).remaining, quota.limit - 1);
      }),
    );
  });

  it('lets through at most its limit and what the time between pays for, in any span', () => {
    fc.assert(
      fc.property(quotas(100_000), fc.nat(86_400_000), fc.array(pause), (quota, ahead, steps) => {
        const passed: number[] = [];
        let tat: number | undefined = start + ahead;
        let now = start;
        for (const step of steps.flatMap((length) => [length, 0, 0, 1])) {
          now += step;
          const answer = decide(quota, tat, now);
          tat = answer.tat;
          if (answer.decision.allowed) passed.push(now);
        }
        passed.forEach((from, first) => {
          passed.slice(first).forEach((until, further) => {
            const paid = Math.floor(((until - from) * quota.limit) / (quota.windowSeconds * 1000));
            assert.ok(further + 1 <= quota.limit + paid);
          });
        });
      }),
    );
  });

  it('does not drift: a client that takes 7 a minute for a week is never refused, and never gets an 8th', () => {
    const quota = { name: 'any', limit: 7, windowSeconds: 60 };
    let tat: number | undefined;
    for (let minute = 0; minute < 7 * 24 * 60; minute += 1) {
      const now = start + minute * 60_000;
      for (let taken = 1; taken <= 8; taken += 1) {
        const answer = decide(quota, tat, now);
        assert.equal(answer.decision.allowed, taken <= 7);
        tat = answer.tat;
      }
    }
  });

  it('too fine to be reckoned exactly gives at most what the limit promises, and at least 99 % of it', () => {
    for (const limit of [4099, 7919]) {
      const quota = { name: 'any', limit, windowSeconds: 1 };
      let answer = decide(quota, undefined, start);
      let passed = 1;
      for (let now = start; now <= start + 2000; now += answer.decision.allowed ? 0 : 1) {
        answer = decide(quota, answer.tat, now);
        if (answer.decision.allowed) passed += 1;
      }
      assert.ok(passed <= 3 * limit && passed >= 2.97 * limit, `${passed / limit} limits in two windows`);
    }
  });
});

describe('a refusal', () => {
  it('changes nothing, and the request passes after Retry-After, not a second sooner', () => {
    fc.assert(
      fc.property(quotas(300), fc.nat(5000), (quota, waited) => {
        const drained = start + quota.windowSeconds * 1000;
        const now = start + waited;
        const { decision, tat } = decide(quota, drained, now);
        fc.pre(!decision.allowed);
        assert.equal(tat, drained);
        assert.equal(decision.remaining, 0);
        assert.ok(decision.retryAfterSeconds >= decision.nextSeconds && decision.nextSeconds >= 1);
        const passesAt = now + decision.retryAfterSeconds * 1000;
        assert.equal(foresee(quota, tat, passesAt).allowed, true);
        assert.equal(foresee(quota, tat, passesAt - 1000).allowed, false);
      }),
    );
  });
});

describe('whatever the clock does', () => {
  it('the figures stay within the quota, and a refused client passes after Retry-After', () => {
    const leaps = fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(quotas(5), leaps, (quota, steps) => {
        let tat: number | undefined;
        let now = start;
        for (const step of steps.flatMap((leap) => [leap, 0, 0, 0])) {
          now += step;
          const answer = decide(quota, tat, now);
          const { decision } = answer;
          tat = answer.tat;
          assert.ok(decision.remaining >= 0 && decision.remaining <= quota.limit);
          assert.ok(decision.resetMs <= quota.windowSeconds * 1000);
          assert.ok(decision.retryAfterSeconds <= Math.ceil(quota.windowSeconds / quota.limit));
          assert.equal(foresee(quota, tat, now + decision.nextSeconds * 1000).allowed, true);
        }
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createMemoryStore, decide, previewDecision, type Quota } from './gcra.ts';

const START = Date.UTC(2026, 0, 1);

const quotas = (maxLimit: number): fc.Arbitrary<Quota> =>
  fc.record({
    name: fc.constant('any'),
    limit: fc.integer({ min: 1, max: maxLimit }),
    windowSeconds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constantFrom(900, 3600, 86_400)),
  });

/** Time between requests: none, a few milliseconds, about an interval, up to a window. */
const pause = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(10_000), fc.nat(86_400_000));

describe('the GCRA', () => {
  test('the GCRA allows a first request and returns the figures of the quota after it', () => {
    const { decision } = decide({ name: 'anon', limit: 120, windowSeconds: 60 }, undefined, START);
    const figures = { remaining: 119, nextSeconds: 1, retryAfterSeconds: 0, resetMs: 500 };
    assert.deepEqual(decision, { allowed: true, ...figures });
    const sevenths = decide({ name: 'any', limit: 7, windowSeconds: 60 }, undefined, START).decision;
    assert.equal(sevenths.resetMs, 8572);
  });

  test('the GCRA finds the quota unused for an unknown client and for one whose requests are fully restored only', () => {
    const quota = { name: 'any', limit: 3, windowSeconds: 60 };
    const whole = { allowed: true, remaining: 3, nextSeconds: 0, retryAfterSeconds: 0, resetMs: 0 };
    assert.deepEqual(previewDecision(quota, undefined, START), whole);
    assert.deepEqual(previewDecision(quota, START, START), whole);
    assert.equal(previewDecision(quota, START + 1, START).remaining, 2);
  });

  test('the GCRA allows the limit at one moment, then rejects, and restores the quota after one window', () => {
    fc.assert(
      fc.property(quotas(1000), (quota) => {
        let tat: number | undefined;
        for (let remaining = quota.limit - 1; remaining >= 0; remaining -= 1) {
          const result = decide(quota, tat, START);
          assert.equal(result.decision.allowed, true);
          assert.equal(result.decision.remaining, remaining);
          tat = result.tat;
        }
        assert.equal(decide(quota, tat, START).decision.allowed, false);
        const windowEnd = START + quota.windowSeconds * 1000;
        assert.equal(previewDecision(quota, tat, START).resetMs, windowEnd - START);
        assert.equal(previewDecision(quota, tat, windowEnd).remaining, quota.limit);
        assert.equal(previewDecision(quota, tat, windowEnd - 1).remaining, quota.limit - 1);
      }),
    );
  });

  test('the GCRA allows at most the limit and the requests that the elapsed time restores, in any period', () => {
    fc.assert(
      fc.property(quotas(100_000), fc.nat(86_400_000), fc.array(pause), (quota, ahead, steps) => {
        const passed: number[] = [];
        let tat: number | undefined = START + ahead;
        let now = START;
        for (const step of steps.flatMap((length) => [length, 0, 0, 1])) {
          now += step;
          const result = decide(quota, tat, now);
          tat = result.tat;
          if (result.decision.allowed) passed.push(now);
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

  test('the GCRA allows between 99 % and 100 % of a limit that is too fine for exact calculation', () => {
    for (const limit of [4099, 7919]) {
      const quota = { name: 'any', limit, windowSeconds: 1 };
      let result = decide(quota, undefined, START);
      let passed = 1;
      for (let now = START; now <= START + 2000; now += result.decision.allowed ? 0 : 1) {
        result = decide(quota, result.tat, now);
        if (result.decision.allowed) passed += 1;
      }
      assert.ok(passed <= 3 * limit && passed >= 2.97 * limit, `${passed / limit} limits in two windows`);
    }
  });
});

describe('requests that the GCRA rejects', () => {
  test('a rejected request leaves the TAT unchanged, and the GCRA allows it after Retry-After, not a second earlier', () => {
    fc.assert(
      fc.property(quotas(300), fc.nat(5000), (quota, waited) => {
        const exhausted = START + quota.windowSeconds * 1000;
        const now = START + waited;
        const { decision, tat } = decide(quota, exhausted, now);
        fc.pre(!decision.allowed);
        assert.equal(tat, exhausted);
        assert.equal(decision.remaining, 0);
        assert.ok(decision.retryAfterSeconds >= decision.nextSeconds && decision.nextSeconds >= 1);
        const passesAt = now + decision.retryAfterSeconds * 1000;
        assert.equal(previewDecision(quota, tat, passesAt).allowed, true);
        assert.equal(previewDecision(quota, tat, passesAt - 1000).allowed, false);
      }),
    );
  });
});

describe('the GCRA on a clock that jumps', () => {
  test('the GCRA keeps the figures within the quota and Retry-After valid when the clock jumps', () => {
    const leaps = fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(quotas(5), leaps, (quota, steps) => {
        let tat: number | undefined;
        let now = START;
        for (const step of steps.flatMap((leap) => [leap, 0, 0, 0])) {
          now += step;
          const result = decide(quota, tat, now);
          const { decision } = result;
          tat = result.tat;
          assert.ok(decision.remaining >= 0 && decision.remaining <= quota.limit);
          assert.ok(decision.resetMs <= quota.windowSeconds * 1000);
          assert.ok(decision.retryAfterSeconds <= Math.ceil(quota.windowSeconds / quota.limit));
          assert.equal(previewDecision(quota, tat, now + decision.nextSeconds * 1000).allowed, true);
        }
      }),
    );
  });
});

const quota: Quota = { name: 'any', limit: 3, windowSeconds: 60 };

describe('createMemoryStore', () => {
  test('the memory store counts a client under each policy separately', () => {
    const store = createMemoryStore(10);
    const other = { ...quota, name: 'another' };
    store.take('a', quota, START);
    assert.equal(store.peek('a', other, START).remaining, 3);
    assert.equal(store.take('a', other, START).remaining, 2);
    assert.equal(store.peek('a', quota, START).remaining, 2);
    assert.equal(store.size, 2);
  });

  test('the memory store decides as the GCRA does for any quota, clients, pauses and order of calls', () => {
    const quotas: fc.Arbitrary<Quota> = fc.record({
      name: fc.constant('any'),
      limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(600, 1031, 7777)),
      windowSeconds: fc.constantFrom(1, 60, 900, 3600),
    });
    const call = fc.tuple(
      fc.constantFrom('take', 'take', 'take', 'peek'),
      fc.constantFrom('', '__proto__', '::1', '2001:db8::/64', 'é😀', '\ud800'),
      fc.integer({ min: 0, max: 30_000 }),
    );
    fc.assert(
      fc.property(quotas, fc.array(call), (any, calls) => {
        const store = createMemoryStore(6);
        const tats = new Map<string, number>();
        let now = START;
        for (const [verb, client, pause] of calls) {
          now += pause;
          if (verb === 'peek')
            assert.deepEqual(store.peek(client, any, now), previewDecision(any, tats.get(client), now));
          if (verb === 'peek') continue;
          const { decision, tat } = decide(any, tats.get(client), now);
          assert.deepEqual(store.take(client, any, now), decision);
          tats.set(client, tat);
        }
      }),
    );
  });

  test('the memory store never holds more clients of a policy than its capacity', () => {
    for (const capacity of [1, 7, 64, 1000]) {
      const store = createMemoryStore(capacity);
      for (let index = 0; index < 20_000; index += 1) store.take(`192.0.2.${index}`, quota, START + index);
      assert.equal(store.size, capacity);
      store.take('192.0.2.1', { ...quota, name: 'another' }, START);
      assert.equal(store.size, capacity + 1);
    }
  });

  test('the memory store evicts the client that was counted or peeked at least recently', () => {
    const store = createMemoryStore(3);
    for (const client of ['a', 'b', 'c', 'a']) store.take(client, quota, START);
    store.peek('b', quota, START);
    store.take('d', quota, START);
    const remaining = ['a', 'b', 'c', 'd'].map((client) => store.peek(client, quota, START).remaining);
    assert.deepEqual(remaining, [1, 2, 3, 2]);
  });

  for (const verb of ['take', 'peek'] as const) {
    test(`the memory store keeps rejecting a client that retries (${verb}) while new clients flood the store`, () => {
      const store = createMemoryStore(1000);
      for (let taken = 0; taken < quota.limit; taken += 1) store.take('rejected', quota, START);
      for (let index = 0; index < 100_000; index += 1) {
        store.take(`2001:db8:${index}::/64`, quota, START);
        if (index % 998 === 0) assert.equal(store[verb]('rejected', quota, START).allowed, false);
      }
      assert.equal(store[verb]('rejected', quota, START).allowed, false);
    });
  }
});

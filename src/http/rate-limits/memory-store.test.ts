import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decide, foresee, type Quota } from './gcra.ts';
import { createMemoryStore } from './memory-store.ts';

const start = Date.UTC(2026, 0, 1);
const quota: Quota = { name: 'any', limit: 3, windowSeconds: 60 };

describe('a memory store', () => {
  it('counts each key on its own', () => {
    const store = createMemoryStore({ capacity: 10 });
    assert.equal(store.take('a', quota, start).remaining, 2);
    assert.equal(store.take('a', quota, start).remaining, 1);
    assert.equal(store.take('b', quota, start).remaining, 2);
    assert.equal(store.size, 2);
  });

  it('looks at a key without taking from it or keeping it', () => {
    const store = createMemoryStore({ capacity: 10 });
    assert.equal(store.peek('a', quota, start).remaining, 3);
    assert.equal(store.size, 0);
    store.take('a', quota, start);
    assert.equal(store.peek('a', quota, start).remaining, 2);
    assert.equal(store.peek('a', quota, start).remaining, 2);
  });

  it('counts a client under each policy on its own', () => {
    const store = createMemoryStore({ capacity: 10 });
    store.take('a', quota, start);
    assert.equal(store.peek('a', { ...quota, name: 'another' }, start).remaining, 3);
    assert.equal(store.take('a', { ...quota, name: 'another' }, start).remaining, 2);
    assert.equal(store.peek('a', quota, start).remaining, 2);
    assert.equal(store.size, 2);
  });

  it('lets a client that is only looked at pass after Retry-After when the clock was set back an hour', () => {
    const store = createMemoryStore({ capacity: 10 });
    for (let taken = 0; taken < quota.limit; taken += 1) store.take('a', quota, start);
    const now = start - 3_600_000;
    const { allowed, retryAfterSeconds } = store.peek('a', quota, now);
    assert.equal(allowed, false);
    assert.equal(retryAfterSeconds, 20);
    assert.equal(store.peek('a', quota, now + 20_000).allowed, true);
  });

  it('answers as the arithmetic does for any keys, times and order of calls', () => {
    const call = fc.tuple(
      fc.constantFrom('take', 'take', 'take', 'peek'),
      fc.constantFrom('', '__proto__', '::1', '2001:db8::/64', 'é😀', '\ud800'),
      fc.integer({ min: -1000, max: 30_000 }),
    );
    fc.assert(
      fc.property(fc.array(call), (calls) => {
        const store = createMemoryStore({ capacity: 6 });
        const tats = new Map<string, number>();
        let now = start;
        for (const [verb, key, step] of calls) {
          now += step;
          if (verb === 'peek')
            assert.deepEqual(store.peek(key, quota, now), foresee(quota, tats.get(key), now));
          if (verb === 'peek') continue;
          const { decision, tat } = decide(quota, tats.get(key), now);
          assert.deepEqual(store.take(key, quota, now), decision);
          tats.set(key, tat);
        }
      }),
    );
  });

  it('still knows nearly every key when it is full to its capacity', () => {
    const store = createMemoryStore({ capacity: 1000 });
    const keys = Array.from({ length: 1000 }, (_, index) => `192.0.2.${index}`);
    for (const key of keys) store.take(key, quota, start);
    const known = keys.filter((key) => store.peek(key, quota, start).remaining === 2);
    assert.ok(known.length >= 990, `${known.length} of 1000`);
  });

  it('never holds more keys than its capacity', () => {
    for (const capacity of [1, 7, 64, 1000]) {
      const store = createMemoryStore({ capacity });
      for (let index = 0; index < 20_000; index += 1) store.take(`192.0.2.${index}`, quota, start + index);
      assert.equal(store.size, capacity);
    }
  });

  it('forgets the key first whose quota is whole again soonest', () => {
    const store = createMemoryStore({ capacity: 3 });
    ['a', 'b', 'c'].forEach((key, index) => {
      store.take(key, quota, start + index);
    });
    store.take('a', quota, start + 3);
    store.take('d', quota, start + 4);
    const remaining = ['a', 'b', 'c', 'd'].map((key) => store.peek(key, quota, start + 4).remaining);
    assert.deepEqual(remaining, [1, 3, 2, 2]);
  });

  it('takes the place of a key whose quota is whole again before it grows', () => {
    const store = createMemoryStore({ capacity: 10 });
    store.take('a', quota, start - 60_000);
    store.take('b', quota, start);
    store.take('c', quota, start);
    assert.equal(store.size, 2);
    store.take('d', quota, start + 60_000);
    assert.equal(store.size, 2);
  });

  it('keeps refusing an address while a hundred times its capacity of others pass by', () => {
    const store = createMemoryStore({ capacity: 1000 });
    for (let taken = 0; taken < quota.limit; taken += 1) store.take('refused', quota, start);
    for (let index = 0; index < 100_000; index += 1) store.take(`2001:db8:${index}::/64`, quota, start);
    assert.equal(store.take('refused', quota, start).allowed, false);
  });
});

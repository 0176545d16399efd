import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createMemoryStore, decide, previewDecision, type Quota } from './gcra.ts';

const START = 1_000_000;
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

  test('the memory store peeks at a client without taking from its quota and without storing it', () => {
    const store = createMemoryStore(10);
    assert.equal(store.peek('a', quota, START).remaining, 3);
    assert.equal(store.size, 0);
    store.take('a', quota, START);
    assert.equal(store.peek('a', quota, START).remaining, 2);
    assert.equal(store.peek('a', quota, START).remaining, 2);
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

  test('the memory store keeps every client when it is filled to its capacity', () => {
    const store = createMemoryStore(1000);
    const clients = Array.from({ length: 1000 }, (_, index) => `192.0.2.${index}`);
    for (const client of clients) store.take(client, quota, START);
    const kept = clients.filter((client) => store.peek(client, quota, START).remaining === 2);
    assert.equal(kept.length, 1000);
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

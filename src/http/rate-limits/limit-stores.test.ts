import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { decide, foresee, intervalOf, type Quota } from './gcra.ts';
import { createLimitStores } from './limit-stores.ts';

const SET_TAT = sql('update rate_limits set tat = cast($2 as double precision) where key = $1');
const MOVE = sql('update rate_limits set tat = tat - cast($2 as double precision) where key = $1');
const ROW = sql<{ touched_at: number }>('select touched_at from rate_limits where key = $1');
const COUNT = sql<{ count: number }>('select count(*) as count from rate_limits');

let keys = 0;
const newKey = () => `key ${keys++}`;

/** Limits that divide their window, that do not, and that need finer parts than a float64 can tell apart. */
const quotas: fc.Arbitrary<Quota> = fc.record({
  name: fc.constant('any'),
  limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(7, 600, 700, 1031, 7777)),
  windowSeconds: fc.constantFrom(1, 60, 900, 3600),
});

describeOnEachEngine('the shared store of limits', (engine) => {
  const service = useService(engine);
  const clock = manualClock();
  const shared = () => createLimitStores(service.service.database, clock, (key) => key).shared;
  const slow: Quota = { name: 'any', limit: 10, windowSeconds: 36_000 };

  test('lets a hundred who come at once take exactly the quota', async () => {
    const key = newKey();
    const store = shared();
    const decisions = await Promise.all(Array.from({ length: 100 }, async () => store.take(key, slow)));
    const allowed = decisions.filter((decision) => decision.allowed);
    assert.equal(allowed.length, 10);
    assert.deepEqual(allowed.map(({ remaining }) => remaining).sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { retryAfterSeconds } of decisions.filter((decision) => !decision.allowed)) {
      assert.ok(retryAfterSeconds > 3590 && retryAfterSeconds <= 3600, String(retryAfterSeconds));
    }
  });

  test('counts each key on its own', async () => {
    const store = shared();
    const [one, other] = [newKey(), newKey()];
    assert.equal((await store.take(one, slow)).remaining, 9);
    assert.equal((await store.take(one, slow)).remaining, 8);
    assert.equal((await store.take(other, slow)).remaining, 9);
  });

  test('tells at no cost what a take would', async () => {
    const store = shared();
    const key = newKey();
    const before = (await service.service.database.get(COUNT))!.count;
    assert.equal((await store.peek(key, slow)).remaining, 10);
    assert.equal((await service.service.database.get(COUNT))!.count, before);
    for (let left = 9; left >= 0; left--) {
      assert.equal((await store.take(key, slow)).remaining, left);
      for (let look = 0; look < 3; look++) {
        const { allowed, remaining } = await store.peek(key, slow);
        assert.deepEqual({ allowed, remaining }, { allowed: left > 0, remaining: left });
      }
    }
  });
});

describe('the shared store (sqlite)', () => {
  const service = useService('sqlite');

  test('decides as the arithmetic does, for any quota and sequence of pauses', async () => {
    const clock = manualClock();
    const { shared } = createLimitStores(service.service.database, clock, (key) => key);
    const step = fc.tuple(fc.constantFrom('take', 'take', 'peek'), fc.oneof(fc.constant(0), fc.nat(60_000)));
    const agrees = async (quota: Quota, steps: [string, number][]) => {
      const key = newKey();
      let tat: number | undefined;
      for (const [verb, pause] of steps) {
        clock.now += pause;
        if (verb === 'peek') assert.deepEqual(await shared.peek(key, quota), foresee(quota, tat, clock.now));
        if (verb === 'peek') continue;
        const { decision, tat: next } = decide(quota, tat, clock.now);
        assert.deepEqual(await shared.take(key, quota), decision);
        tat = next;
      }
    };
    await fc.assert(fc.asyncProperty(quotas, fc.array(step), agrees));
  });
});

describe('the shared store (postgres)', () => {
  const service = useService('postgres');
  const database = () => service.service.database;

  /** One key, and beside it what the arithmetic makes of the same requests at the moments the database gave. */
  function counter(quota: Quota) {
    const { shared } = createLimitStores(database(), Date.now, (key) => key);
    const key = newKey();
    let tat: number | undefined;
    const run = (statement: typeof SET_TAT, value: number) =>
      database().transaction((tx) => tx.run(statement, `any:${key}`, value));
    const touchedAt = async () => (await database().get(ROW, `any:${key}`))!.touched_at;
    return {
      async take() {
        const taken = await shared.take(key, quota);
        const { decision, tat: next } = decide(quota, tat, await touchedAt());
        assert.deepEqual(taken, decision);
        tat = next;
      },
      /** As if so many requests had come at once, just now. */
      async owe(requests: number) {
        await shared.take(key, quota);
        tat = (await touchedAt()) + requests * intervalOf(quota).milliseconds;
        await run(SET_TAT, tat);
      },
      async pause(milliseconds: number) {
        await run(MOVE, milliseconds);
        if (tat !== undefined) tat -= milliseconds;
      },
    };
  }

  test('decides as the arithmetic does by the clock of the database, for any quota and pauses', async () => {
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(500), fc.nat(60_000)), { maxLength: 10 });
    const agrees = async (quota: Quota, missing: number, steps: number[]) => {
      const { take, owe, pause } = counter(quota);
      await owe(Math.max(0, quota.limit - missing));
      for (const step of steps) {
        await pause(step);
        await take();
      }
    };
    // Its interval has to be rounded up, so that all of them take longer than the window.
    const rounded: Quota = { name: 'any', limit: 109_963, windowSeconds: 3600 };
    const settings = { numRuns: 40, examples: [[rounded, 0, [60]] satisfies [Quota, number, number[]]] };
    await fc.assert(fc.asyncProperty(quotas, fc.nat(3), pauses, agrees), settings);
  });

  for (const limit of [7, 700]) {
    test(`lets ${limit} a minute through at once as the arithmetic does, and not one more`, async () => {
      const { take } = counter({ name: 'any', limit, windowSeconds: 60 });
      for (let request = 0; request < limit + 20; request++) await take();
    });
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/limits.ts';
import { describeOnPostgres } from '../../test/support/runner/engines.ts';
import { useService } from '../../test/support/service.ts';
import { sql } from '../database/database.ts';
import { getInterval, type Quota } from './gcra.ts';
import { createLimitStores } from './limit-stores.ts';

/** Moving a row into the past lets time pass, moving it into the future sets the clock back. */
const MOVE = sql(`
  update rate_limits set tat = tat - cast($2 as double precision),
    touched_at = touched_at - cast($2 as double precision)
  where key = $1`);
const SET_DEBT = sql('update rate_limits set tat = touched_at + cast($2 as double precision) where key = $1');
const TOUCHED = sql<{ touched_at: number }>('select touched_at from rate_limits where key = $1');

/** Limits that divide their window, that do not, and that need finer parts than a float64 distinguishes. */
const quotas: fc.Arbitrary<Quota> = fc.record({
  name: fc.constant('any'),
  limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(7, 600, 700, 1031, 7777)),
  windowSeconds: fc.constantFrom(1, 60, 900, 3600),
});

let keys = 0;

describeOnPostgres('the shared limit store on PostgreSQL', () => {
  const service = useService('postgres', { stopsServerClock: true });

  /** Counts the requests of one key in the database, and in memory on a monotonic clock. */
  function counter(quota: Quota) {
    const { database } = service;
    const clock = manualClock(0);
    const { shared } = createLimitStores(database, clock, (key) => key);
    const memory = createLimitStores({ sharedLimits: null }, clock, (key) => key).local;
    const key = `key ${keys++}`;
    const run = (statement: typeof MOVE, value: number) =>
      database.transaction((tx) => tx.run(statement, `any:${key}`, value));
    const touchedAt = async () => (await database.get(TOUCHED, `any:${key}`))?.touched_at;
    return {
      /** Takes a request in both stores and compares the decisions. */
      async take() {
        const before = await touchedAt();
        const decision = await shared.take([key], quota);
        clock.now += Math.max(0, (await touchedAt())! - (before ?? Infinity));
        assert.deepEqual(memory.take([key], quota), decision);
        const peeked = await shared.peek([key], quota);
        assert.deepEqual([peeked.allowed, peeked.remaining], [decision.remaining > 0, decision.remaining]);
        return decision;
      },
      /** Lets time pass; a negative number sets the clock of the database back. */
      pass: (milliseconds: number) => run(MOVE, milliseconds),
      /** Uses up the quota but for `requests`, as simultaneous requests would. */
      async leave(requests: number) {
        await shared.take([key], quota);
        memory.take([key], quota);
        for (let taken = 1; taken < quota.limit - requests; taken++) memory.take([key], quota);
        await run(SET_DEBT, Math.max(1, quota.limit - requests) * getInterval(quota).milliseconds);
      },
    };
  }

  test('the shared store decides as the memory store does, also when the clock of the database is set back', async () => {
    const pause = fc.oneof(fc.constant(0), fc.nat(500), fc.nat(60_000));
    const setBack = fc.oneof(fc.constant(1_000), fc.nat(120_000), fc.nat(10_000_000)).map((step) => -step);
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: pause }, { weight: 1, arbitrary: setBack }), {
      maxLength: 10,
    });
    const agrees = async (quota: Quota, missing: number, milliseconds: number[]) => {
      const { take, leave, pass } = counter(quota);
      await leave(missing);
      for (const step of milliseconds) {
        await pass(step);
        await take();
      }
    };
    // The interval is rounded up, so that the whole limit takes longer than the window.
    const rounded: Quota = { name: 'any', limit: 109_963, windowSeconds: 3600 };
    const examples: [Quota, number, number[]][] = [[rounded, 0, [60, -7_200_000, 0, 463]]];
    await fc.assert(fc.asyncProperty(quotas, fc.nat(3), steps, agrees), { numRuns: 25, examples });
  });

  for (const limit of [7, 70]) {
    test(`the shared store admits ${limit} requests at once for a limit per minute and rejects the next one`, async () => {
      const { take } = counter({ name: 'any', limit, windowSeconds: 60 });
      for (let request = 1; request <= limit + 20; request++)
        assert.equal((await take()).allowed, request <= limit, `request ${request}`);
    });
  }
});

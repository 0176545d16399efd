import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { createFailedAttemptLimits } from './failed-attempts.ts';
import type { FailedAttemptRule } from './queries.ts';

const TOUCHED = sql<{ touched_at: number }>('select touched_at from guess_limits where key = $1');
const MOVE = sql(`
  update guess_limits set wait_until = wait_until - cast($2 as bigint), touched_at = touched_at - cast($2 as bigint)
  where key = $1`);

const rules: fc.Arbitrary<FailedAttemptRule> = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  forgetAfterMs: fc.constantFrom(500, 5_000, 60_000),
  forgetPenaltyAfterMs: fc.constantFrom(1_000, 60_000, 900_000),
  firstWaitMs: fc.integer({ min: 1, max: 3_000 }),
  growth: fc.integer({ min: 1, max: 10 }),
  maxWaitMs: fc.constantFrom(3_000, 60_000, 900_000),
});

const step = fc.oneof(
  { weight: 8, arbitrary: fc.constant('attempt' as const) },
  { weight: 1, arbitrary: fc.constant('forget' as const) },
  { weight: 5, arbitrary: fc.oneof(fc.nat(3_000), fc.nat(100_000), fc.nat(1_000_000)) },
);

describe('guesses counted in the database and in memory', () => {
  const inMemory = useService('sqlite');
  const shared = useService('postgres');

  test('are one rule, step by step, for any settings and any course of events', async () => {
    const clock = manualClock();
    const memory = createFailedAttemptLimits(inMemory.service.database, clock);
    const database = shared.service.database;
    const statement = createFailedAttemptLimits(database, Date.now);
    let keys = 0;
    const agree = async (rule: FailedAttemptRule, steps: ('attempt' | 'forget' | number)[]) => {
      const key = `key ${keys++}`;
      // How far the row of the database was moved into the past, which is how far its clock went on.
      let moved = 0;
      for (const one of steps) {
        if (one === 'attempt') {
          const decision = await statement.attempt(key, rule);
          clock.now = (await database.get(TOUCHED, key))!.touched_at + moved;
          assert.deepEqual(await memory.attempt(key, rule), decision);
        } else if (one === 'forget') {
          await Promise.all([statement.forget(key), memory.forget(key)]);
        } else {
          await database.transaction((tx) => tx.run(MOVE, key, one));
          moved += one;
        }
      }
    };
    await fc.assert(fc.asyncProperty(rules, fc.array(step, { maxLength: 40 }), agree), { numRuns: 40 });
  });

  test('take a bounded amount of memory: who tried longest ago is forgotten first', async () => {
    const memory = createFailedAttemptLimits(inMemory.service.database, manualClock());
    const day = 86_400_000;
    const rule: FailedAttemptRule = {
      limit: 1,
      forgetAfterMs: day,
      forgetPenaltyAfterMs: day,
      firstWaitMs: day,
      growth: 1,
      maxWaitMs: day,
    };
    const isAdmitted = async (key: string) => (await memory.attempt(key, rule)).admitted;
    const fill = async (name: string) => {
      for (let index = 0; index < 50_000; index++) await memory.attempt(`${name} ${index}`, rule);
    };
    assert.deepEqual([await isAdmitted('quiet'), await isAdmitted('busy')], [true, true]);
    await fill('first');
    assert.equal(await isAdmitted('busy'), false);
    await fill('second');
    assert.equal(await isAdmitted('busy'), false);
    assert.equal(await isAdmitted('quiet'), true);
  });
});

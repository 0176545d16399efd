import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import type { FailedAttemptRule } from '../../database/shared-limits.ts';
import { HOUR, MINUTE } from '../../lib/clock.ts';
import { createFailedAttemptLimits } from './failed-attempts.ts';

const TOUCHED = sql<{ touched_at: number }>('select touched_at from failed_attempts where key = $1');
/** Moving a row into the past lets time pass, moving it into the future sets the clock back. */
const MOVE = sql(`
  update failed_attempts set wait_until = wait_until - cast($2 as bigint), touched_at = touched_at - cast($2 as bigint)
  where key = $1`);

const rules: fc.Arbitrary<FailedAttemptRule> = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  forgetAfterMs: fc.constantFrom(500, 5_000, 60_000),
  forgetPenaltyAfterMs: fc.constantFrom(1_000, 60_000, 900_000),
  firstWaitMs: fc.integer({ min: 1, max: 3_000 }),
  growth: fc.integer({ min: 1, max: 10 }),
  maxWaitMs: fc.constantFrom(3_000, 60_000, 900_000),
});

const pause = fc.oneof(fc.nat(3_000), fc.nat(100_000), fc.nat(1_000_000));
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constant('attempt' as const) },
  { weight: 1, arbitrary: fc.constantFrom('forget' as const, 'undo' as const) },
  { weight: 5, arbitrary: pause },
  { weight: 2, arbitrary: pause.map((milliseconds) => -milliseconds) },
);
type Step = 'attempt' | 'forget' | 'undo' | number;

describe('failed attempts counted on PostgreSQL', () => {
  const service = useService('postgres');
  let keys = 0;

  /** Counts the attempts of one key in the database, and in memory on a monotonic clock. */
  function counter(rule: FailedAttemptRule) {
    const { database } = service.service;
    const clock = manualClock(0);
    const shared = createFailedAttemptLimits(database, clock);
    const memory = createFailedAttemptLimits({ ...database, sharedLimits: null }, clock);
    const key = `key ${keys++}`;
    const touchedAt = async () => (await database.get(TOUCHED, key))?.touched_at;
    const attempt = async () => {
      const before = await touchedAt();
      const decision = await shared.attempt(key, rule);
      clock.now += Math.max(0, (await touchedAt())! - (before ?? Infinity));
      assert.deepEqual(await memory.attempt(key, rule), decision);
      return decision;
    };
    /** Lets time pass; a negative number sets the clock of the database back. */
    const pass = (milliseconds: number) => database.transaction((tx) => tx.run(MOVE, key, milliseconds));
    const run = async (step: Step) => {
      if (step === 'attempt') await attempt();
      else if (typeof step === 'number') await pass(step);
      else await Promise.all([shared[step](key), memory[step](key)]);
    };
    return { attempt, pass, run };
  }

  test('decides on attempts as in memory, for any rule and steps, also when the clock of the database is set back', async () => {
    const agrees = async (rule: FailedAttemptRule, steps: Step[]) => {
      const { run } = counter(rule);
      for (const step of steps) await run(step);
    };
    await fc.assert(fc.asyncProperty(rules, fc.array(step, { maxLength: 40 }), agrees), { numRuns: 40 });
  });

  const rule: FailedAttemptRule = {
    limit: 2,
    forgetAfterMs: HOUR,
    forgetPenaltyAfterMs: HOUR,
    firstWaitMs: 10 * MINUTE,
    growth: 1,
    maxWaitMs: 10 * MINUTE,
  };
  for (const hours of [1, 24]) {
    test(`lets a blocked key wait no longer when the clock of the database is set back by ${hours} h`, async () => {
      const { attempt, pass } = counter(rule);
      for (let failure = 0; failure < 2; failure++) assert.equal((await attempt()).admitted, true);
      await pass(-hours * HOUR);
      const { admitted, retryAfterSeconds } = await attempt();
      assert.equal(admitted, false);
      assert.ok(retryAfterSeconds > 590 && retryAfterSeconds <= 600, String(retryAfterSeconds));
      await pass(10 * MINUTE);
      assert.equal((await attempt()).admitted, true);
    });
  }
});

describe('failed attempts counted in memory', () => {
  const service = useService('sqlite');

  test('keeps a bounded number of keys and evicts the least recently tried one first', async () => {
    const memory = createFailedAttemptLimits(service.service.database, manualClock());
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

describeOnEachEngine('concurrent login attempts', (engine) => {
  const service = useService(engine);
  const rule: FailedAttemptRule = {
    limit: 5,
    forgetAfterMs: MINUTE,
    forgetPenaltyAfterMs: 15 * MINUTE,
    firstWaitMs: 10 * MINUTE,
    growth: 2,
    maxWaitMs: 15 * MINUTE,
  };

  test('admits concurrent attempts up to the limit for each key separately', async () => {
    const failedAttempts = createFailedAttemptLimits(service.service.database, manualClock());
    for (const key of ['one', 'other']) {
      const decisions = await Promise.all(
        Array.from({ length: 50 }, () => failedAttempts.attempt(key, rule)),
      );
      const rejected = decisions.filter(({ admitted }) => !admitted);
      assert.equal(decisions.length - rejected.length, 5);
      for (const { retryAfterSeconds } of rejected) {
        assert.ok(retryAfterSeconds > 590 && retryAfterSeconds <= 600, String(retryAfterSeconds));
      }
    }
  });

  test('admits attempts again after the failures of the key were deleted', async () => {
    const failedAttempts = createFailedAttemptLimits(service.service.database, manualClock());
    const once = { ...rule, limit: 1 };
    assert.equal((await failedAttempts.attempt('reset', once)).admitted, true);
    assert.equal((await failedAttempts.attempt('reset', once)).admitted, false);
    await failedAttempts.forget('reset');
    assert.equal((await failedAttempts.attempt('reset', once)).admitted, true);
    await failedAttempts.forget('unknown');
  });
});

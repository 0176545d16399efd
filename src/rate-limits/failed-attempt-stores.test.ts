import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/limits.ts';
import { describeOnPostgres, describeStorage } from '../../test/support/runner/engines.ts';
import { useService } from '../../test/support/service.ts';
import { sql } from '../database/database.ts';
import type { FailedAttemptRule } from '../database/shared-limits.ts';
import { MINUTE } from '../lib/time.ts';
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
  { weight: 1, arbitrary: fc.constant('forget' as const) },
  { weight: 3, arbitrary: fc.constant('undo' as const) },
  { weight: 5, arbitrary: pause },
  { weight: 2, arbitrary: pause.map((milliseconds) => -milliseconds) },
);
type AttemptStep = 'attempt' | 'forget' | 'undo' | number;

describeOnPostgres('failed attempts counted on PostgreSQL', () => {
  const service = useService('postgres');
  let keys = 0;

  /** Counts the attempts of one key in the database, and in memory on a monotonic clock. */
  function counter(rule: FailedAttemptRule) {
    const { database } = service;
    const clock = manualClock(0);
    const shared = createFailedAttemptLimits(database, clock);
    const memory = createFailedAttemptLimits({ ...database, sharedLimits: null }, clock);
    const key = `key ${keys++}`;
    const touchedAt = async () => (await database.get(TOUCHED, key))?.touched_at;
    /** Moving the row changes the times by which the last attempt is recognised. */
    const cannotUndo = async () => {};
    let undoLast = cannotUndo;
    const attempt = async () => {
      const before = await touchedAt();
      const { undo, ...decision } = await shared.attempt(key, rule);
      clock.now += Math.max(0, (await touchedAt())! - (before ?? Infinity));
      const { undo: undoInMemory, ...inMemory } = await memory.attempt(key, rule);
      assert.deepEqual(inMemory, decision);
      undoLast = async () => {
        await Promise.all([undo(), undoInMemory()]);
        undoLast = cannotUndo;
      };
      return decision;
    };
    /** Lets time pass; a negative number sets the clock of the database back. */
    const pass = (milliseconds: number) => {
      undoLast = cannotUndo;
      return database.transaction((tx) => tx.run(MOVE, key, milliseconds));
    };
    const run = async (step: AttemptStep) => {
      if (step === 'attempt') await attempt();
      else if (typeof step === 'number') await pass(step);
      else if (step === 'undo') await undoLast();
      else await Promise.all([shared.forget(key), memory.forget(key)]);
    };
    return run;
  }

  test('PostgreSQL decides on attempts as the memory does, for any rule and steps, also when its clock is set back', async () => {
    const agrees = async (rule: FailedAttemptRule, steps: AttemptStep[]) => {
      const run = counter(rule);
      for (const step of steps) await run(step);
    };
    await fc.assert(fc.asyncProperty(rules, fc.array(step, { maxLength: 40 }), agrees), { numRuns: 25 });
  });
});

describeStorage('concurrent login attempts', (engine) => {
  const service = useService(engine);
  const rule: FailedAttemptRule = {
    limit: 5,
    forgetAfterMs: MINUTE,
    forgetPenaltyAfterMs: 15 * MINUTE,
    firstWaitMs: 10 * MINUTE,
    growth: 2,
    maxWaitMs: 15 * MINUTE,
  };

  test('concurrent attempts are admitted up to the limit for each key separately', async () => {
    const failedAttempts = createFailedAttemptLimits(service.database, manualClock());
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

  test('concurrent attempts are admitted again after the failures of the key were deleted', async () => {
    const failedAttempts = createFailedAttemptLimits(service.database, manualClock());
    const once = { ...rule, limit: 1 };
    assert.equal((await failedAttempts.attempt('reset', once)).admitted, true);
    assert.equal((await failedAttempts.attempt('reset', once)).admitted, false);
    await failedAttempts.forget('reset');
    assert.equal((await failedAttempts.attempt('reset', once)).admitted, true);
    await failedAttempts.forget('unknown');
  });

  test('attempts that were undone leave no state, one by one or concurrently', async () => {
    const { database } = service;
    const failedAttempts = createFailedAttemptLimits(database, manualClock());
    const one = await failedAttempts.attempt('undone', rule);
    await one.undo();
    const many = await Promise.all(Array.from({ length: 5 }, () => failedAttempts.attempt('undone', rule)));
    await Promise.all(many.map((attempt) => attempt.undo()));
    assert.equal(await database.get(TOUCHED, 'undone'), undefined);
    const again = await Promise.all(Array.from({ length: 9 }, () => failedAttempts.attempt('undone', rule)));
    assert.equal(again.filter(({ admitted }) => admitted).length, 5);
  });

  test('the wait of a wrong attempt is kept when an earlier one is undone after it', async () => {
    const clock = manualClock();
    const failedAttempts = createFailedAttemptLimits(service.database, clock);
    const short = { ...rule, limit: 1, firstWaitMs: 1, growth: 1_000_000, maxWaitMs: 15 * MINUTE };
    const slow = await failedAttempts.attempt('overtaken', short);
    for (let wrong = slow; wrong === slow || !wrong.admitted; clock.now++) {
      wrong = await failedAttempts.attempt('overtaken', short);
    }
    await slow.undo();
    assert.equal((await failedAttempts.attempt('overtaken', short)).admitted, false);
  });
});

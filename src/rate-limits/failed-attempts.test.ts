import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { FailedAttemptRule } from '../database/shared-limits.ts';
import { type FailedAttemptState, nextAttempt, subtractAttempt } from './attempt-memory.ts';

const MINUTE = 60_000;
const start = Date.UTC(2026, 0, 1);
const loginRule: FailedAttemptRule = {
  limit: 5,
  forgetAfterMs: MINUTE,
  forgetPenaltyAfterMs: 15 * MINUTE,
  firstWaitMs: 1000,
  growth: 2,
  maxWaitMs: 15 * MINUTE,
};

/** Fails `count` attempts, each as soon as it is admitted. Returns the waits in milliseconds and the last state. */
function failures(count: number, rule = loginRule) {
  const waits: number[] = [];
  let state: FailedAttemptState | undefined;
  for (let now = start; waits.length < count; now = state.waitUntil) {
    const next = nextAttempt(state, rule, now);
    assert.equal(next.admitted, true);
    state = next.state;
    waits.push(state.waitUntil - now);
  }
  return { waits, state: state! };
}

describe('nextAttempt', () => {
  test('nextAttempt admits attempts up to the limit at once, then after waits that double up to the maximum', () => {
    const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900].map((seconds) => seconds * 1000);
    assert.deepEqual(failures(17).waits, [0, 0, 0, 0, ...doubling]);
  });

  test('nextAttempt rejects attempts during a wait without changing the state, and admits one at its end', () => {
    const { state } = failures(7);
    for (const early of [1, 1000, 4000]) {
      const rejected = nextAttempt(state, loginRule, state.waitUntil - early);
      assert.deepEqual(rejected, { admitted: false, state });
    }
    assert.equal(nextAttempt(state, loginRule, state.waitUntil).admitted, true);
  });

  test('nextAttempt resets failures after a period without attempts, which is longer once the limit was reached', () => {
    for (const [count, forgetAfterMs] of [
      [4, loginRule.forgetAfterMs],
      [5, loginRule.forgetPenaltyAfterMs],
      [20, loginRule.forgetPenaltyAfterMs],
    ] as const) {
      const { state } = failures(count);
      const after = (milliseconds: number) => nextAttempt(state, loginRule, state.waitUntil + milliseconds);
      assert.equal(after(forgetAfterMs - 1).state.failures, count + 1);
      assert.equal(after(forgetAfterMs).state.failures, 1);
    }
  });

  test('nextAttempt admits an attempt below the limit when the clock was set back', () => {
    const first = nextAttempt(undefined, loginRule, start).state;
    assert.equal(nextAttempt(first, loginRule, start - 5).admitted, true);
  });

  test('nextAttempt never admits more attempts than the limit and one for each elapsed wait', () => {
    const pauses = fc.array(fc.oneof(fc.nat(2000), fc.nat(20 * MINUTE)), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(pauses, (steps) => {
        const penalties = { ...loginRule, forgetAfterMs: Infinity, forgetPenaltyAfterMs: Infinity };
        let [now, admitted, earliest] = [start, 0, start];
        let state: FailedAttemptState | undefined;
        for (const step of steps) {
          now += step;
          const next = nextAttempt(state, penalties, now);
          state = next.state;
          if (!next.admitted) continue;
          assert.ok(now >= earliest);
          admitted++;
          earliest = now + (admitted < 5 ? 0 : Math.min(1000 * 2 ** (admitted - 5), 15 * MINUTE));
        }
        assert.equal(state!.failures, admitted);
      }),
    );
  });
});

describe('withoutAttempt', () => {
  /** Admits `count` attempts, each as soon as possible; with the states before and after each. */
  function attempts(count: number) {
    const steps: { before: FailedAttemptState | undefined; after: FailedAttemptState }[] = [];
    for (let now = start; steps.length < count; now += 100) {
      const before = steps.at(-1)?.after;
      const { admitted, state } = nextAttempt(before, loginRule, Math.max(now, before?.waitUntil ?? 0));
      if (admitted) steps.push({ before, after: state });
    }
    return steps;
  }

  test('withoutAttempt restores the state before the last attempt, and nothing for the first one', () => {
    const steps = attempts(12);
    for (const step of steps) assert.deepEqual(subtractAttempt(step.after, step), step.before);
  });

  test('withoutAttempt keeps the wait that a later attempt has caused', () => {
    const steps = attempts(8);
    const last = steps.at(-1)!.after;
    for (const step of steps.slice(0, -1)) {
      assert.deepEqual(subtractAttempt(last, step), { ...last, failures: 7 });
    }
  });

  test('withoutAttempt leaves nothing when all attempts are undone, in any order', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    fc.assert(
      fc.property(order, (indices) => {
        const steps = attempts(9);
        let state: FailedAttemptState | undefined = steps.at(-1)!.after;
        for (const index of indices) {
          state = subtractAttempt(state!, steps[index]!);
          assert.ok(state !== undefined && state.failures >= 1);
        }
        assert.equal(subtractAttempt(state!, steps[8]!), undefined);
      }),
    );
  });
});

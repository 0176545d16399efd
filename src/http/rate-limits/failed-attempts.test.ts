import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { describeOnEachEngine } from '../../../test/support/engines.ts';
import { manualClock } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';
import { createFailedAttemptLimits, type FailedAttemptState, nextAttempt } from './failed-attempts.ts';
import type { FailedAttemptRule } from './queries.ts';

const MINUTE = 60_000;
const start = Date.UTC(2026, 0, 1);
const pairRule: FailedAttemptRule = {
  limit: 5,
  forgetAfterMs: MINUTE,
  forgetPenaltyAfterMs: 15 * MINUTE,
  firstWaitMs: 1000,
  growth: 2,
  maxWaitMs: 15 * MINUTE,
};

/** Fails so many times, each as soon as it is admitted; gives the waits in milliseconds and the last state. */
function failures(count: number, rule = pairRule) {
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

describe('a limit on guesses', () => {
  test('gives so many free tries, then waits that double up to the longest', () => {
    const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900].map((seconds) => seconds * 1000);
    assert.deepEqual(failures(17).waits, [0, 0, 0, 0, ...doubling]);
  });

  test('keeps to the longest wait however often it goes on', () => {
    assert.equal(failures(2000).waits.at(-1), pairRule.maxWaitMs);
  });

  test('refuses during a wait and admits at its end, and a refusal changes nothing', () => {
    const { state } = failures(7);
    for (const early of [1, 1000, 4000]) {
      const refused = nextAttempt(state, pairRule, state.waitUntil - early);
      assert.deepEqual(refused, { admitted: false, state });
    }
    assert.equal(nextAttempt(state, pairRule, state.waitUntil).admitted, true);
  });

  test('forgets a few failures after their quiet time, and a penalty after its own', () => {
    for (const [count, quiet] of [
      [4, pairRule.forgetAfterMs],
      [5, pairRule.forgetPenaltyAfterMs],
      [20, pairRule.forgetPenaltyAfterMs],
    ] as const) {
      const { state } = failures(count);
      const after = (milliseconds: number) => nextAttempt(state, pairRule, state.waitUntil + milliseconds);
      assert.equal(after(quiet - 1).state.failures, count + 1);
      assert.equal(after(quiet).state.failures, 1);
    }
  });

  test('with a limit of 1 makes the second try wait', () => {
    const rule = { ...pairRule, limit: 1 };
    const { state } = failures(1, rule);
    assert.equal(nextAttempt(state, rule, start + 999).admitted, false);
    assert.equal(nextAttempt(state, rule, start + 1000).admitted, true);
  });

  test('takes no free try away because another node\u2019s clock is a little ahead', () => {
    const first = nextAttempt(undefined, pairRule, start).state;
    assert.equal(nextAttempt(first, pairRule, start - 5).admitted, true);
  });

  test('never admits more than the free tries and one for each wait that has passed, whatever is tried', () => {
    const pauses = fc.array(fc.oneof(fc.nat(2000), fc.nat(20 * MINUTE)), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(pauses, (steps) => {
        const penalties = { ...pairRule, forgetAfterMs: Infinity, forgetPenaltyAfterMs: Infinity };
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

describeOnEachEngine('guesses that come at once', (engine) => {
  const service = useService(engine);

  test('are admitted as far as they are free, on one key as on another', async () => {
    const failedAttempts = createFailedAttemptLimits(service.service.database, manualClock());
    for (const key of ['one', 'other']) {
      const rule = { ...pairRule, firstWaitMs: 10 * MINUTE };
      const decisions = await Promise.all(
        Array.from({ length: 50 }, () => failedAttempts.attempt(key, rule)),
      );
      const refused = decisions.filter(({ admitted }) => !admitted);
      assert.equal(decisions.length - refused.length, 5);
      for (const { retryAfterSeconds } of refused) {
        // One that came a moment before the fifth and was counted after it has that moment more to wait.
        assert.ok(retryAfterSeconds > 590 && retryAfterSeconds <= 601, String(retryAfterSeconds));
      }
    }
  });

  test('are admitted again once it is forgotten what failed', async () => {
    const failedAttempts = createFailedAttemptLimits(service.service.database, manualClock());
    const once = { ...pairRule, limit: 1 };
    assert.equal((await failedAttempts.attempt('forgotten', once)).admitted, true);
    assert.equal((await failedAttempts.attempt('forgotten', once)).admitted, false);
    await failedAttempts.forget('forgotten');
    assert.equal((await failedAttempts.attempt('forgotten', once)).admitted, true);
    await failedAttempts.forget('never seen');
  });
});

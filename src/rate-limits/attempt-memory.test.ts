import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/limits.ts';
import type { FailedAttemptRule } from '../database/shared-limits.ts';
import {
  createAttemptMemory,
  type FailedAttemptState,
  nextAttempt,
  subtractAttempt,
} from './attempt-memory.ts';
import { memoryFailedAttemptLimits } from './failed-attempts.ts';

const DAY = 86_400_000;
const free = (waitUntil: number) => ({ failures: 1, waitUntil, waitMs: 0 });
const penalty = (waitUntil: number, waitMs: number) => ({ failures: 5, waitUntil, waitMs });

describe('the memory of failed attempts', () => {
  test('the attempt memory evicts the unpenalised key that was tried least recently, and no penalised one for it', () => {
    const memory = createAttemptMemory(3);
    memory.set('blocked', penalty(1000, 1000), 0);
    for (const key of ['a', 'b', 'c']) memory.set(key, free(0), 0);
    memory.get('a');
    for (const key of ['d', 'e']) memory.set(key, free(0), 0);
    const kept = ['blocked', 'a', 'b', 'c', 'd', 'e'].filter((key) => memory.get(key) !== undefined);
    assert.deepEqual(kept, ['blocked', 'a', 'd', 'e']);
    assert.equal(memory.size, 4);
  });

  test('the attempt memory evicts the penalised key whose wait ended first, and rejects others while all waits last', () => {
    const memory = createAttemptMemory(3);
    memory.set('long', penalty(9000, 9000), 0);
    memory.set('short', penalty(1000, 1000), 0);
    memory.set('middle', penalty(4000, 4000), 0);
    assert.equal(memory.set('another', penalty(2500, 2000), 500), 500);
    assert.equal(memory.get('another'), undefined);
    assert.equal(memory.set('another', penalty(3000, 2000), 1000), 0);
    assert.deepEqual([memory.get('short'), memory.size], [undefined, 3]);
    assert.equal(memory.set('third', penalty(10_000, 5000), 5000), 0);
    assert.deepEqual([memory.get('another'), memory.size], [undefined, 3]);
    assert.deepEqual(memory.get('long'), penalty(9000, 9000));
  });

  test('the attempt memory never evicts a wait that lasts, stays bounded, and has room again, for any calls', () => {
    const call = fc.record({
      key: fc.nat(12).map((number) => `key ${number}`),
      waitMs: fc.constantFrom(0, 0, 1000, 1000, 2000, 8000),
      isOver: fc.boolean(),
      verb: fc.constantFrom('set', 'set', 'set', 'delete'),
      pause: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(3000)),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 30, maxLength: 150 }), (calls) => {
        const memory = createAttemptMemory(4);
        const stored = new Map<string, FailedAttemptState>();
        let now = 0;
        for (const { key, waitMs, isOver, verb, pause } of calls) {
          now += pause;
          const waits = [...stored].filter(([, state]) => now < state.waitUntil);
          for (const [blocked, state] of waits) assert.deepEqual(memory.get(blocked), state);
          assert.ok(memory.size <= 8);
          if (verb === 'delete') {
            memory.delete(key);
            stored.delete(key);
            assert.equal(memory.get(key), undefined);
            continue;
          }
          const state = { failures: 1, waitUntil: isOver ? now : now + waitMs, waitMs };
          const untilRoomMs = memory.set(key, state, now);
          const ends = waits.map(([, { waitUntil }]) => waitUntil);
          const isFull = waitMs > 0 && waits.length === 4 && waits.every(([blocked]) => blocked !== key);
          assert.equal(untilRoomMs, isFull ? Math.min(...ends) - now : 0);
          if (isFull) continue;
          assert.deepEqual(memory.get(key), state);
          stored.set(key, state);
        }
      }),
    );
  });
});

describe('failed attempts in a full memory', () => {
  /** The second failure is followed by a wait of ten seconds. */
  const rule: FailedAttemptRule = {
    limit: 2,
    forgetAfterMs: DAY,
    forgetPenaltyAfterMs: DAY,
    firstWaitMs: 10_000,
    growth: 1,
    maxWaitMs: 10_000,
  };

  test('failed attempts in a full memory are rejected where the next failure would need a wait, else admitted', async () => {
    const clock = manualClock(0);
    const limits = memoryFailedAttemptLimits(clock, 2);
    const attempt = async (key: string) => {
      const { admitted, retryAfterSeconds } = await limits.attempt(key, rule);
      return admitted ? 'admitted' : retryAfterSeconds;
    };
    for (const key of ['one', 'one', 'other', 'other', 'third']) assert.equal(await attempt(key), 'admitted');
    clock.now += 4000;
    assert.deepEqual([await attempt('third'), await attempt('third')], [6, 6]);
    assert.equal(await attempt('new'), 'admitted');
    clock.now += 6000;
    assert.equal(await attempt('third'), 'admitted');
    assert.equal(await attempt('third'), 10);
  });

  test('failed attempts in a full memory leave no state and evict nothing blocked when they are undone', async () => {
    const limits = memoryFailedAttemptLimits(manualClock(0), 2);
    for (let failure = 0; failure < 2; failure++) await limits.attempt('blocked', rule);
    await limits.attempt('tried once', rule);
    for (let index = 0; index < 100; index++) await (await limits.attempt(`flood ${index}`, rule)).undo();
    assert.equal((await limits.attempt('blocked', rule)).admitted, false);
    assert.equal((await limits.attempt('tried once', rule)).admitted, true);
    assert.equal((await limits.attempt('tried once', rule)).admitted, false);
  });
});

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

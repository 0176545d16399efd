/** The rule of failed attempts, as pure functions: from the limit on, each failure is followed by a wait. */
import type { FailedAttemptRule } from '../database/shared-limits.ts';

export interface FailedAttemptState {
  readonly failures: number;
  /** Milliseconds of the clock before which no attempt is admitted; without a wait, the last attempt. */
  readonly waitUntil: number;
  /** Length of this wait from its start; 0 without one. */
  readonly waitMs: number;
}

/** Decides on an attempt. An attempt that is not admitted leaves the state unchanged. */
export function nextAttempt(
  state: FailedAttemptState | undefined,
  rule: FailedAttemptRule,
  now: number,
): { admitted: boolean; state: FailedAttemptState } {
  if (state !== undefined && state.failures >= rule.limit && now < state.waitUntil)
    return { admitted: false, state };
  const failures = state === undefined || isForgotten(state, rule, now) ? 1 : state.failures + 1;
  const waitMs = waitAfter(failures, rule);
  return { admitted: true, state: { failures, waitUntil: now + waitMs, waitMs } };
}

function isForgotten(state: FailedAttemptState, rule: FailedAttemptRule, now: number): boolean {
  const forgetAfterMs = state.failures < rule.limit ? rule.forgetAfterMs : rule.forgetPenaltyAfterMs;
  return now - state.waitUntil >= forgetAfterMs;
}

function waitAfter(failures: number, { limit, firstWaitMs, growth, maxWaitMs }: FailedAttemptRule): number {
  if (failures < limit) return 0;
  return Math.min(firstWaitMs * growth ** Math.min(failures - limit, 60), maxWaitMs);
}

/** Returns the state without one of its attempts; undefined when no failure is left. A later wait is kept. */
export function subtractAttempt(
  state: FailedAttemptState,
  { before, after }: { before: FailedAttemptState | undefined; after: FailedAttemptState },
): FailedAttemptState | undefined {
  if (state.failures <= 1) return undefined;
  const failures = state.failures - 1;
  if (state.waitUntil !== after.waitUntil) return { ...state, failures };
  // The first failure that counts: an earlier wait is forgotten.
  if (before === undefined || after.failures === 1)
    return { failures, waitUntil: after.waitUntil - after.waitMs, waitMs: 0 };
  return { failures, waitUntil: before.waitUntil, waitMs: before.waitMs };
}

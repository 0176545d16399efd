/**
 * Limits on failed attempts at a password. An attempt counts as failed until it has succeeded, so that concurrent
 * attempts cannot exceed the limit together. From the limit on, each failure is followed by a wait, which may grow.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import type { FailedAttemptRule, SharedLimits } from '../../database/shared-limits.ts';
import type { MonotonicClock } from '../../lib/clock.ts';
import { deleteFailedAttempts, undoAttempt } from './queries.ts';

export interface FailedAttemptState {
  readonly failures: number;
  /** Milliseconds of the clock before which no attempt is admitted; without a wait, the last attempt. */
  readonly waitUntil: number;
}

export interface AttemptDecision {
  readonly admitted: boolean;
  /** Whole seconds: 0 when admitted, otherwise at least 1. */
  readonly retryAfterSeconds: number;
}

export interface FailedAttemptLimits {
  /** Counts an attempt under this key if it is admitted. @throws DatabaseUnavailable */
  attempt(key: string, rule: FailedAttemptRule): Promise<AttemptDecision>;
  /** Deletes the failures of the key, after an attempt that succeeded. */
  forget(key: string): Promise<void>;
  /** Uncounts an attempt that could not be processed: the password was not checked. */
  undo(key: string): Promise<void>;
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
  return { admitted: true, state: { failures, waitUntil: now + waitAfter(failures, rule) } };
}

function isForgotten(state: FailedAttemptState, rule: FailedAttemptRule, now: number): boolean {
  const forgetAfterMs = state.failures < rule.limit ? rule.forgetAfterMs : rule.forgetPenaltyAfterMs;
  return now - state.waitUntil >= forgetAfterMs;
}

function waitAfter(failures: number, { limit, firstWaitMs, growth, maxWaitMs }: FailedAttemptRule): number {
  if (failures < limit) return 0;
  return Math.min(firstWaitMs * growth ** Math.min(failures - limit, 60), maxWaitMs);
}

function decision(admitted: boolean, waitUntil: number, now: number): AttemptDecision {
  return { admitted, retryAfterSeconds: admitted ? 0 : Math.max(1, Math.ceil((waitUntil - now) / 1000)) };
}

/** Keys kept in memory: about 15 MB when full. */
const CAPACITY = 100_000;

/** Counts in the database if several nodes share it, otherwise in memory. */
export function createFailedAttemptLimits(
  database: Pick<Database, 'sharedLimits' | 'transaction'>,
  monotonicClock: MonotonicClock,
): FailedAttemptLimits {
  const { sharedLimits } = database;
  if (sharedLimits === null) return memoryFailedAttemptLimits(monotonicClock);
  return sharedFailedAttemptLimits(database, sharedLimits);
}

function memoryFailedAttemptLimits(monotonicClock: MonotonicClock): FailedAttemptLimits {
  const states = new LRUCache<string, FailedAttemptState>({ max: CAPACITY });
  return {
    async attempt(key, rule) {
      const now = monotonicClock();
      const { admitted, state } = nextAttempt(states.get(key), rule, now);
      states.set(key, state);
      return decision(admitted, state.waitUntil, now);
    },
    async forget(key) {
      states.delete(key);
    },
    async undo(key) {
      const state = states.get(key);
      if (state === undefined) return;
      states.set(key, { failures: Math.max(0, state.failures - 1), waitUntil: monotonicClock() });
    },
  };
}

function sharedFailedAttemptLimits(
  database: Pick<Database, 'transaction'>,
  sharedLimits: SharedLimits,
): FailedAttemptLimits {
  return {
    async attempt(key, rule) {
      const { admitted, waitUntil, now } = await sharedLimits.attempt(key, rule);
      return decision(admitted, waitUntil, now);
    },
    forget: (key) => database.transaction((tx) => deleteFailedAttempts(tx, key)),
    undo: (key) => database.transaction((tx) => undoAttempt(tx, key)),
  };
}

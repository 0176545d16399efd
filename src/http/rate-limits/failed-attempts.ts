/**
 * Limits on guessing a password: an attempt counts as failed until it has succeeded, so that many at once
 * cannot slip through together; from the limit on, each failure has to be waited out, and the wait may grow.
 */
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { clearFailedAttempts, type FailedAttemptRule, recordAttempt, undoAttempt } from './queries.ts';

export interface FailedAttemptState {
  readonly failures: number;
  /** Epoch milliseconds before which no attempt is admitted; without a wait, the last attempt. */
  readonly waitUntil: number;
}

export interface AttemptDecision {
  readonly admitted: boolean;
  /** Whole seconds, at least 1 when not admitted. */
  readonly retryAfterSeconds: number;
}

export interface FailedAttemptLimits {
  /** Counts an attempt under this key, if it is admitted. @throws DatabaseUnavailable */
  attempt(key: string, rule: FailedAttemptRule): Promise<AttemptDecision>;
  /** The attempt succeeded: what failed before does not count any more. */
  forget(key: string): Promise<void>;
  /** The attempt could not be carried out: it was neither right nor wrong. */
  takeBack(key: string): Promise<void>;
}

/** The rule itself. A refused attempt changes nothing. */
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
  const quiet = state.failures < rule.limit ? rule.forgetAfterMs : rule.forgetPenaltyAfterMs;
  return now - state.waitUntil >= quiet;
}

function waitAfter(failures: number, { limit, firstWaitMs, growth, maxWaitMs }: FailedAttemptRule): number {
  if (failures < limit) return 0;
  return Math.min(firstWaitMs * growth ** Math.min(failures - limit, 60), maxWaitMs);
}

function decision(admitted: boolean, waitUntil: number, now: number): AttemptDecision {
  return { admitted, retryAfterSeconds: admitted ? 0 : Math.max(1, Math.ceil((waitUntil - now) / 1000)) };
}

/** Keys kept in memory; beyond, the one that was tried longest ago is forgotten. About 15 MB when full. */
const CAPACITY = 100_000;

/** In memory on SQLite, where there is one process; in the database where there are several. */
export function createFailedAttemptLimits(database: Database, clock: Clock): FailedAttemptLimits {
  return database.engine === 'sqlite'
    ? memoryFailedAttemptLimits(clock)
    : sharedFailedAttemptLimits(database);
}

function memoryFailedAttemptLimits(clock: Clock): FailedAttemptLimits {
  const states = new Map<string, FailedAttemptState>();
  return {
    async attempt(key, rule) {
      const now = clock();
      const { admitted, state } = nextAttempt(states.get(key), rule, now);
      // Set anew, so that the map's order is that of the last attempts.
      states.delete(key);
      states.set(key, state);
      if (states.size > CAPACITY) states.delete(states.keys().next().value!);
      return decision(admitted, state.waitUntil, now);
    },
    async forget(key) {
      states.delete(key);
    },
    async takeBack(key) {
      const state = states.get(key);
      if (state === undefined) return;
      states.set(key, { failures: Math.max(0, state.failures - 1), waitUntil: clock() });
    },
  };
}

function sharedFailedAttemptLimits(database: Database): FailedAttemptLimits {
  return {
    async attempt(key, rule) {
      const row = await recordAttempt(database, key, rule);
      return decision(row.admitted === 1, row.wait_until, row.touched_at);
    },
    forget: (key) => database.transaction((tx) => clearFailedAttempts(tx, key)),
    takeBack: (key) => database.transaction((tx) => undoAttempt(tx, key)),
  };
}

/** Limits on failed attempts at a password. An attempt counts as failed until it has succeeded. */
import type { Database } from '../database/database.ts';
import type { FailedAttemptRule, SharedLimits } from '../database/shared-limits.ts';
import type { MonotonicClock } from '../lib/time.ts';
import { createAttemptMemory, nextAttempt, subtractAttempt } from './attempt-memory.ts';
import { deleteFailedAttempts, deleteFailedAttemptsBelow, undoAttempt } from './queries.ts';

export interface AttemptDecision {
  readonly admitted: boolean;
  /** Whole seconds: 0 when admitted, otherwise at least 1. */
  readonly retryAfterSeconds: number;
  /** Uncounts an admitted attempt whose password was not checked. To be called at most once. */
  undo(): Promise<void>;
}

export interface FailedAttemptLimits {
  /** Counts an attempt under this key if it is admitted. @throws DatabaseUnavailable */
  attempt(key: string, rule: FailedAttemptRule): Promise<AttemptDecision>;
  /** Returns the longest wait under keys that begin with `prefix`, in milliseconds, without counting an attempt. */
  findWait(prefix: string, rule: FailedAttemptRule): Promise<number>;
  forget(key: string): Promise<void>;
  /** Deletes the failures of all keys that begin with `prefix`. */
  forgetBelow(prefix: string): Promise<void>;
}

/** Counts in the database if several nodes share it, otherwise in memory. */
export function createFailedAttemptLimits(
  database: Pick<Database, 'sharedLimits' | 'transaction'>,
  monotonicClock: MonotonicClock,
): FailedAttemptLimits {
  const { sharedLimits } = database;
  if (sharedLimits === null) return memoryFailedAttemptLimits(monotonicClock, CAPACITY);
  return sharedFailedAttemptLimits(database, sharedLimits);
}

/** Keys of each kind in memory, with and without a penalty: docs/decisions/0012-rate-limits.md. */
const CAPACITY = 100_000;

/** Counts in memory, at most `capacity` keys with a penalty and as many without one. */
export function memoryFailedAttemptLimits(
  monotonicClock: MonotonicClock,
  capacity: number,
): FailedAttemptLimits {
  const memory = createAttemptMemory(capacity);
  return {
    async attempt(key, rule) {
      const now = monotonicClock();
      const before = memory.get(key);
      const { admitted, state: after } = nextAttempt(before, rule, now);
      const waitMs = admitted ? memory.set(key, after, now) : after.waitUntil - now;
      if (waitMs > 0) return rejected(waitMs);
      const undo = async () => {
        const state = memory.get(key);
        if (state === undefined) return;
        const rest = subtractAttempt(state, { before, after });
        if (rest === undefined) memory.delete(key);
        else memory.set(key, rest, monotonicClock());
      };
      return { admitted, retryAfterSeconds: 0, undo };
    },
    async findWait(prefix, { limit }) {
      const states = memory.listKeys(prefix).map((key) => memory.get(key)!);
      const waits = states.filter(({ failures }) => failures >= limit).map(({ waitUntil }) => waitUntil);
      return Math.max(0, ...waits.map((waitUntil) => waitUntil - monotonicClock()));
    },
    async forget(key) {
      memory.delete(key);
    },
    async forgetBelow(prefix) {
      for (const key of memory.listKeys(prefix)) memory.delete(key);
    },
  };
}

function sharedFailedAttemptLimits(
  database: Pick<Database, 'transaction'>,
  sharedLimits: SharedLimits,
): FailedAttemptLimits {
  return {
    async attempt(key, rule) {
      const { admitted, waitUntil, waitBefore, now } = await sharedLimits.attempt(key, rule);
      if (!admitted) return rejected(waitUntil - now);
      const undo = () => database.transaction((tx) => undoAttempt(tx, key, { waitUntil, waitBefore }));
      return { admitted, retryAfterSeconds: 0, undo };
    },
    findWait: (prefix, { limit }) => sharedLimits.findWait(prefix, limit),
    async forget(key) {
      await database.transaction((tx) => deleteFailedAttempts(tx, key));
    },
    async forgetBelow(prefix) {
      await database.transaction((tx) => deleteFailedAttemptsBelow(tx, prefix));
    },
  };
}

function rejected(waitMs: number): AttemptDecision {
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), undo: async () => {} };
}

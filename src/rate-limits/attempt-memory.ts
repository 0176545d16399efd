/** Failed attempts in memory. Keys with a penalty are bounded separately, so that a flood does not evict them. */
import { LRUCache } from 'lru-cache';
import type { FailedAttemptRule } from '../database/shared-limits.ts';
import { maxEntries } from '../lib/max-entries.ts';

/**
 * Creates a memory of `capacity` keys of each kind. The least recently tried is evicted, or the one whose wait
 * ended first; never one that waits: docs/decisions/0012-rate-limits.md.
 */
export function createAttemptMemory(capacity: number) {
  const unpenalised = new LRUCache<string, FailedAttemptState>(maxEntries(capacity));
  const penalised = penaltyQueues();
  const remove = (key: string): boolean => unpenalised.delete(key) || penalised.delete(key);
  return {
    get: (key: string) => unpenalised.get(key) ?? penalised.get(key),
    /**
     * Stores a state. Returns 0; or, if there is no room, the milliseconds until there is. `now`: of a monotonic clock.
     */
    set(key: string, state: FailedAttemptState, now: number): number {
      if (state.waitMs === 0) {
        remove(key);
        unpenalised.set(key, state);
        return 0;
      }
      if (penalised.size >= capacity && penalised.get(key) === undefined) {
        const untilRoomMs = penalised.evict(now);
        if (untilRoomMs > 0) return untilRoomMs;
      }
      unpenalised.delete(key);
      penalised.set(key, state, now);
      return 0;
    },
    delete: remove,
    /** Looks at all keys: for requests of administrators. */
    listKeys: (prefix: string) =>
      [...unpenalised.keys(), ...penalised.keys()].filter((key) => key.startsWith(prefix)),
    get size() {
      return unpenalised.size + penalised.size;
    },
  };
}

/**
 * Penalised keys in a queue for each of the few lengths of waits, whose first key is the first to end. Length 0: over.
 */
function penaltyQueues() {
  const queues = new Map<number, Map<string, FailedAttemptState>>();
  const getQueue = (waitMs: number) => queues.getOrInsert(waitMs, new Map());
  const remove = (key: string) => queues.values().some((queue) => queue.delete(key));
  return {
    get: (key: string) =>
      queues
        .values()
        .map((queue) => queue.get(key))
        .find((state) => state !== undefined),
    set(key: string, state: FailedAttemptState, now: number): void {
      const queue = getQueue(now < state.waitUntil ? state.waitMs : 0);
      // The same wait keeps its place.
      if (queue.get(key)?.waitUntil !== state.waitUntil) remove(key);
      queue.set(key, state);
    },
    delete: remove,
    keys: () => queues.values().flatMap((queue) => queue.keys()),
    /** Evicts the key whose wait ended first. Returns the milliseconds until one ends, 0 after an eviction. */
    evict(now: number): number {
      const [key, { waitUntil }] = [...queues.values().flatMap((queue) => queue.entries().take(1))].reduce(
        (one, other) => (other[1].waitUntil < one[1].waitUntil ? other : one),
      );
      if (now < waitUntil) return waitUntil - now;
      remove(key);
      return 0;
    },
    get size() {
      return queues.values().reduce((sum, queue) => sum + queue.size, 0);
    },
  };
}

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

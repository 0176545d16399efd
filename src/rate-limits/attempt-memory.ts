/** Failed attempts in memory. Keys with a penalty are bounded separately, so that a flood does not evict them. */
import { LRUCache } from 'lru-cache';
import type { FailedAttemptState } from './failed-attempt-rule.ts';

/**
 * Creates a memory of `capacity` keys of each kind. The least recently tried is evicted, or the one whose wait
 * ended first; never one that waits: docs/decisions/0012-rate-limits.md.
 */
export function createAttemptMemory(capacity: number) {
  // Created with the first failed attempt, because it allocates its room at once.
  let unpenalised: LRUCache<string, FailedAttemptState> | undefined;
  const penalised = penaltyQueues();
  const remove = (key: string): boolean => unpenalised?.delete(key) || penalised.delete(key);
  return {
    get: (key: string) => unpenalised?.get(key) ?? penalised.get(key),
    /**
     * Stores a state. Returns 0; or, if there is no room, the milliseconds until there is. `now`: of a monotonic clock.
     */
    set(key: string, state: FailedAttemptState, now: number): number {
      if (state.waitMs === 0) {
        remove(key);
        unpenalised ??= new LRUCache({ max: capacity });
        unpenalised.set(key, state);
        return 0;
      }
      if (penalised.size >= capacity && penalised.get(key) === undefined) {
        const untilRoomMs = penalised.evict(now);
        if (untilRoomMs > 0) return untilRoomMs;
      }
      unpenalised?.delete(key);
      penalised.set(key, state, now);
      return 0;
    },
    delete: remove,
    get size() {
      return (unpenalised?.size ?? 0) + penalised.size;
    },
  };
}

/**
 * Penalised keys in a queue for each of the few lengths of waits, whose first key is the first to end. Length 0: over.
 */
function penaltyQueues() {
  const queues = new Map<number, Map<string, FailedAttemptState>>();
  const getQueue = (waitMs: number) => {
    const queue = queues.get(waitMs) ?? new Map<string, FailedAttemptState>();
    queues.set(waitMs, queue);
    return queue;
  };
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

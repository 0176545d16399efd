/**
 * Failed attempts in the memory of one process. A flood of attempts must not evict a key that has to wait, so keys
 * with and without a penalty are bounded separately.
 */
import { LRUCache } from 'lru-cache';
import type { FailedAttemptState } from './failed-attempt-rule.ts';

export interface AttemptMemory {
  get(key: string): FailedAttemptState | undefined;
  /**
   * Stores a state. Returns 0, or if there is no room for another penalised key, the milliseconds after which there
   * is: nothing has been stored then. @param now the time of a monotonic clock
   */
  set(key: string, state: FailedAttemptState, now: number): number;
  delete(key: string): void;
  /** Number of keys, with and without a penalty. */
  readonly size: number;
}

/**
 * Creates a memory of `capacity` keys without a penalty and as many penalised ones. Among the former, the least
 * recently tried is evicted first; among the latter, the one whose wait ended first. A wait that lasts is never
 * evicted: docs/decisions/0012-rate-limits.md says what happens when all of them last.
 */
export function createAttemptMemory(capacity: number): AttemptMemory {
  // Created with the first failed attempt, because it allocates its room at once.
  let unpenalised: LRUCache<string, FailedAttemptState> | undefined;
  const penalised = penaltyQueues();
  const remove = (key: string) => unpenalised?.delete(key) || penalised.delete(key);
  return {
    get: (key) => unpenalised?.get(key) ?? penalised.get(key),
    set(key, state, now) {
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
 * Penalised keys by the length of their wait. There are few lengths, and waits of one length end in the order in
 * which they began, so the wait that ends first is the first one of a queue. Length 0: the wait is over.
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

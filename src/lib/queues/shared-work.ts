/** Functions that share, delay, limit or keep work of several callers. */
import type { MonotonicClock } from '../time.ts';

/**
 * Returns a function that runs `work`, one run after the other. Calls that come while one waits share it: it begins
 * after all of them. `work` must not reject.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isWaiting = false;
  return () => {
    if (isWaiting) return running;
    isWaiting = true;
    running = running.then(() => {
      isWaiting = false;
      return work();
    });
    return running;
  };
}

/** Reads the values of the keys that have one. */
export type Load<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/**
 * Returns a function with the result of `load`, which it calls once for the keys of all calls in the same turn. Every
 * load begins after the calls that it is for: none of them misses earlier writes.
 */
export function joinLookups<T>(load: Load<T>, maximum: number): Load<T> {
  let waiting: { readonly keys: Set<string>; readonly loaded: Promise<ReadonlyMap<string, T>> } | null = null;
  const begin = () => {
    const keys = new Set<string>();
    const loaded = new Promise<void>((resolve) => {
      setImmediate(resolve);
    }).then(() => {
      if (waiting?.keys === keys) waiting = null;
      return load([...keys]);
    });
    return { keys, loaded };
  };
  return (keys) => {
    if (waiting !== null && waiting.keys.size + keys.length > maximum) waiting = null;
    waiting ??= begin();
    for (const key of keys) waiting.keys.add(key);
    return waiting.loaded;
  };
}

/**
 * Returns the function that runs at most `capacity` pieces of work per key at a time; others wait in the order of
 * arrival. Keys that are not in use take no memory.
 */
export function createKeyedSemaphore(capacity: number) {
  const queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.running >= capacity) await new Promise<void>((resolve) => queue.waiting.push(resolve));
    else queue.running++;
    try {
      return await work();
    } finally {
      // Passes the slot on instead of freeing it, so that later callers cannot overtake the queue.
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else if (--queue.running === 0) queues.delete(key);
    }
  };
}

const WRITE_DELAY_MS = 1_000;

/** Calls `write` a second after `schedule`, or at once with `flush`; never twice at the same time. */
export function createDelayedWriter(write: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };
  const schedule = () => {
    timer ??= setTimeout(flush, WRITE_DELAY_MS).unref();
  };
  return { flush, schedule };
}

/**
 * Returns a function that runs `compute` once at a time, and returns its result for `lifetimeMs`. Failures are
 * not kept.
 */
export function cached<T>(
  compute: () => Promise<T>,
  { lifetimeMs, monotonicClock }: { readonly lifetimeMs: number; readonly monotonicClock: MonotonicClock },
): () => Promise<T> {
  let current: Promise<T> | null = null;
  let expiresAt = Number.POSITIVE_INFINITY;
  const start = async () => {
    try {
      const result = await compute();
      expiresAt = monotonicClock() + lifetimeMs;
      return result;
    } catch (error) {
      current = null;
      throw error;
    }
  };
  return () => {
    if (current === null || monotonicClock() >= expiresAt) {
      expiresAt = Number.POSITIVE_INFINITY;
      current = start();
    }
    return current;
  };
}

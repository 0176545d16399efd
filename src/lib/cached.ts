/** Caches the result of a computation for a while. */
import type { MonotonicClock } from './time.ts';

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

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

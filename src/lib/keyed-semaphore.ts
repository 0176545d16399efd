/** Lets so many at a time through for each key; the others wait in line. */
export type KeyedSemaphore = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Line {
  inside: number;
  readonly waiting: (() => void)[];
}

/** `capacity` is per key; keys that nobody uses cost nothing. */
export function createKeyedSemaphore(capacity: number): KeyedSemaphore {
  const lines = new Map<string, Line>();
  return async (key, work) => {
    const line = lines.get(key) ?? { inside: 0, waiting: [] };
    lines.set(key, line);
    if (line.inside >= capacity) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.inside++;
    try {
      return await work();
    } finally {
      // The place is handed over, so that nobody who comes now gets ahead of the line.
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else if (--line.inside === 0) lines.delete(key);
    }
  };
}

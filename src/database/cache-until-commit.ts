import type { Database } from './database.ts';

/** With the largest metadata, a user takes 8 KiB. */
const MAX_VALUES = 2_000;

/**
 * Returns a function like `find` that keeps up to `maxValues` that it has found until the next commit of any process;
 * nothing without `readVersion`. What depends on the time has to be checked after each call.
 */
export function cacheUntilCommit<T extends object>(
  { readVersion }: Pick<Database, 'readVersion'>,
  find: (key: string) => Promise<T | undefined>,
  maxValues = MAX_VALUES,
): (key: string) => Promise<T | undefined> {
  if (readVersion === null) return find;
  const values = new Map<string, T>();
  let version = Number.NaN;
  return async (key) => {
    const current = readVersion();
    if (current !== version || values.size >= maxValues) {
      values.clear();
      version = current;
    }
    const known = values.get(key);
    if (known !== undefined) return known;
    const found = await find(key);
    // A value that was read before another commit is not kept.
    if (found !== undefined && current === version) values.set(key, found);
    return found;
  };
}

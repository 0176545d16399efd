/** Joins lookups of one turn of the event loop, so that requests that arrive together need one statement. */

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

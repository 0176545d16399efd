type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the merge patch (RFC 7396) that makes `after` of `before`. */
export function createMergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries([
    ...removed.map((name) => [name, null]),
    ...changed.map(([name, value]) => {
      const old = before[name];
      return [name, isObject(old) && isObject(value) ? createMergePatch(old, value) : value];
    }),
  ]);
}

/** Parses the text of an object. Returns null for everything else. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

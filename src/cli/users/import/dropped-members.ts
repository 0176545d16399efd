/** Counts the members of an export that are not imported. */

export interface DroppedMembers {
  add(names: readonly string[]): void;
  counts(): Readonly<Record<string, number>>;
}

const MAX_NAMES = 100;
const OTHERS = '(others)';

/** Names come from the file: their number and form are bounded. */
export function createDroppedMembers(): DroppedMembers {
  const counts = new Map<string, number>();
  return {
    add(names) {
      for (const name of new Set(names)) {
        const isNamed = counts.has(name) || (counts.size < MAX_NAMES && /^[\w.$-]{1,64}$/.test(name));
        const key = isNamed ? name : OTHERS;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    },
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

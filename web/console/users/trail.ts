/** The pages before the shown one, which the history keeps. */

export interface Trail {
  /** Their cursors, oldest first; the empty string for the first page. */
  readonly trail: readonly string[];
  /** Their numbers of users. */
  readonly counts: readonly number[];
}

/** Browsers limit the size of the state of an entry of the history. */
const MAX_TRAIL = 100;

export function getTrail(state: unknown): Trail {
  const { trail, counts } = (state ?? {}) as Partial<Trail>;
  return { trail: Array.isArray(trail) ? trail : [], counts: Array.isArray(counts) ? counts : [] };
}

/** Adds the page that has this cursor and number of users. */
export function appendToTrail({ trail, counts }: Trail, cursor: string | null, count: number): Trail {
  return {
    trail: [...trail, cursor ?? ''].slice(-MAX_TRAIL),
    counts: [...counts, count].slice(-MAX_TRAIL),
  };
}

/** Returns the number of users on the pages before the one with this cursor; null if it is not known. */
export function countBefore(cursor: string | null, { trail, counts }: Trail): number | null {
  if (cursor === null) return 0;
  const isWhole = trail[0] === '' && counts.length === trail.length;
  return isWhole ? counts.reduce((sum, count) => sum + count, 0) : null;
}

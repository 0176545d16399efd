/** Counts the users who match a filter, at a bounded cost. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../../database/database.ts';
import type { UserFilter } from './filter.ts';
import { findByOneFilter, type IndexRead, readIndex } from './find-users.ts';
import { selectUsers } from './queries.ts';

/** Largest exact count. */
export const MAX_COUNT = 10_000;
/**
 * `maxRead`: users that are read in the order of their creation if no filter leaves few enough of them.
 * `batch`: users that are read by one statement, because a read of SQLite blocks other requests.
 */
const BOUNDS = { maxCount: MAX_COUNT, maxRead: 50_000, batch: 500 };

export interface UserCount {
  readonly count: number;
  /** False if more users may match. */
  readonly isExact: boolean;
}

/**
 * Returns the number of users who match, which is exact up to 10,000. If every filter alone leaves more users than that,
 * the 50,000 oldest of them are examined.
 */
export async function countUsers(
  database: Database,
  filter: UserFilter,
  bounds = BOUNDS,
): Promise<UserCount> {
  const { batch, maxCount } = bounds;
  const request = { filter, sort: 'created_at', after: null, limit: batch } as const;
  const first = await readIndex(database, request, batch);
  if (first.page.next === null) return { count: first.page.rows.length, isExact: true };
  const candidates = await findByOneFilter(database, request, { maximum: maxCount, ids: first.ids });
  if (candidates === null) return countInOrder(database, filter, { ...bounds, first });
  let count = 0;
  for (let start = 0; start < candidates.length; start += batch) {
    count += (await selectUsers(database, candidates.slice(start, start + batch), request)).length;
    await nextTurn();
  }
  return { count, isExact: true };
}

/** Counts on after the first users that were read in the order of their creation. */
async function countInOrder(
  database: Database,
  filter: UserFilter,
  { first, batch, maxCount, maxRead }: typeof BOUNDS & { readonly first: IndexRead },
): Promise<UserCount> {
  let { page, ids } = first;
  let [count, read] = [page.rows.length, ids.length];
  while (page.next !== null && count <= maxCount && read < maxRead) {
    const request = { filter, sort: 'created_at', after: page.next, limit: batch } as const;
    ({ page, ids } = await readIndex(database, request, maxRead - read));
    count += page.rows.length;
    read += ids.length;
  }
  return { count: Math.min(count, maxCount), isExact: page.next === null && count <= maxCount };
}

/** Counts the users who match a filter, at a bounded cost. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../../database/database.ts';
import type { UserFilter } from './filter.ts';
import { requireIndexed } from './find-candidates.ts';
import { findFew, type IndexRead, readIndex } from './find-users.ts';
import { selectUsers } from './queries.ts';
import type { Position } from './sorts.ts';

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
 * @throws Problem invalid_filter for a member of metadata that is not indexed
 */
export async function countUsers(
  database: Database,
  filter: UserFilter,
  bounds = BOUNDS,
): Promise<UserCount> {
  const { batch, maxCount } = bounds;
  if (filter.metadata !== null) await requireIndexed(database, filter.metadata);
  const request = { filter, sort: 'created_at', after: null, limit: batch } as const;
  const first = await readIndex(database, request, batch);
  if (first.page.next === null) return { count: first.page.rows.length, isExact: true };
  const candidates = await findFew(database, request, { maximum: maxCount, first });
  if (candidates === null) return countInOrder(database, filter, bounds);
  let count = 0;
  for (let start = 0; start < candidates.length; start += batch) {
    count += (await selectUsers(database, candidates.slice(start, start + batch), request)).length;
    await nextTurn();
  }
  return { count, isExact: true };
}

async function countInOrder(
  database: Database,
  filter: UserFilter,
  { batch, maxCount, maxRead }: typeof BOUNDS,
): Promise<UserCount> {
  let [count, read] = [0, 0];
  let after: Position | null = null;
  do {
    const request = { filter, sort: 'created_at', after, limit: batch } as const;
    const { page, ids }: IndexRead = await readIndex(database, request, maxRead - read);
    count += page.rows.length;
    read += ids.length;
    after = page.next;
  } while (after !== null && count <= maxCount && read < maxRead);
  return { count: Math.min(count, maxCount), isExact: after === null && count <= maxCount };
}

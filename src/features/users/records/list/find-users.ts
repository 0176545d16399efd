/** Finds a page of users by any filters and in any order, at a bounded cost. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader } from '../../../../database/database.ts';
import type { Page } from '../../../../lib/routes/pagination.ts';
import type { UserRow } from '../queries.ts';
import {
  ANY_TIME,
  hasConditions,
  NO_FILTER,
  type SearchTerm,
  type TimeRange,
  type UserFilter,
} from './filter.ts';
import { findCandidates } from './find-candidates.ts';
import { type IndexRange, readRange, selectUsers, type UserRequest } from './queries.ts';
import { getPosition, getSortColumn, type ListedUser, type Position } from './sorts.ts';

export type Bounds = Readonly<typeof BOUNDS>;

/** If more than 5,000 of a million users match, 5,000 that are read in order fill a page of 20, if spread evenly. */
const BOUNDS = {
  /** Users that one of the filters may leave, to be read and sorted for each page. */
  maxCandidates: 5_000,
  /**
   * Users that a page reads in the order of an index. It has fewer users than the limit, and a next position, if fewer
   * of them match.
   */
  maxRead: 5_000,
  /**
   * Users that a search reads in the order of an index before it uses that of trigrams. They fill a page with a term
   * that one of twenty users has. At least 1.
   */
  firstRead: 500,
};
/** Share of users with a term above which the index of trigrams is not used: on PostgreSQL, its cost grows with them. */
const MAX_SHARE = 0.2;
/** Users that are read at once, after those of the first attempt. */
const BATCH = 500;

export type UserPage = Page<UserRow, Position>;

/**
 * Returns a page of users. If one of the filters leaves few of them, all of these are read and sorted. Otherwise the
 * index of the order is read, and users that do not match are skipped; a search begins with a short attempt to do so.
 * Both have the same order, so that the pages of a list may be read in either way.
 */
export async function findUsers(
  database: Database,
  request: UserRequest,
  { maxCandidates, maxRead, firstRead }: Bounds = BOUNDS,
): Promise<UserPage> {
  const { filter, limit } = request;
  const first = filter.search === null ? null : await readIndex(database, request, firstRead);
  if (first !== null && (first.page.rows.length === limit || first.page.next === null)) return first.page;
  const candidates = await findByOneFilter(database, request, {
    maximum: maxCandidates,
    ids: first?.ids ?? [],
  });
  if (candidates === null) return (await readIndex(database, request, maxRead)).page;
  return toPage(await selectUsers(database, candidates, { ...request, limit: limit + 1 }), request, null);
}

/**
 * Returns the ids of the users whom one of the filters leaves; null if every filter leaves too many. `ids` are those
 * of the first users in the order of an index, whatever they match: they show how many have the term of a search.
 */
async function findByOneFilter(
  database: Database,
  { filter, sort }: UserRequest,
  { maximum, ids }: { readonly maximum: number; readonly ids: readonly string[] },
): Promise<readonly string[] | null> {
  const isTermCommon = filter.search !== null && (await isCommon(database, ids, filter.search));
  return findCandidates(database, { filter, sort, isTermCommon, maximum });
}

async function isCommon(database: Database, ids: readonly string[], search: SearchTerm): Promise<boolean> {
  const request = {
    filter: { ...NO_FILTER, search },
    sort: 'created_at',
    after: null,
    limit: ids.length,
  } as const;
  return (await selectUsers(database, ids, request)).length > ids.length * MAX_SHARE;
}

/** Returns the page of the first users who match; `last` is the position after which more of them can be. */
function toPage(found: readonly ListedUser[], { sort, limit }: UserRequest, last: Position | null): UserPage {
  if (found.length <= limit) return { rows: found, next: last };
  const rows = found.slice(0, limit);
  return { rows, next: getPosition(rows.at(-1)!, sort) };
}

/** A page, and the ids of all users that were read for it. */
interface IndexRead {
  readonly page: UserPage;
  readonly ids: readonly string[];
}

/** Reads users in the order of an index, until a page is full. */
async function readIndex(reader: Reader, request: UserRequest, maxRead: number): Promise<IndexRead> {
  const { filter, sort, limit } = request;
  const range = toRange(request);
  const decided = range.group === null ? {} : { group: null };
  const found: ListedUser[] = [];
  const ids: string[] = [];
  let { after } = request;
  while (ids.length < maxRead) {
    const size = ids.length === 0 ? limit + 1 : BATCH;
    const users = await readRange(reader, range, { after, limit: size });
    const batch = users.map(({ id }) => id);
    ids.push(...batch);
    const matching = hasConditions({ ...filter, ...decided })
      ? await selectUsers(reader, batch, { ...request, limit: limit + 1 })
      : users;
    found.push(...matching);
    if (found.length > limit || users.length < size) return { page: toPage(found, request, null), ids };
    after = getPosition(users.at(-1)!, sort);
    // Reads on SQLite are synchronous: many of them in a row would block other requests.
    await nextTurn();
  }
  return { page: { rows: found, next: after }, ids };
}

function toRange({ filter, sort }: UserRequest): IndexRange {
  const { column, isDescending } = getSortColumn(sort);
  const ranges: Partial<Record<typeof column, TimeRange>> = {
    created_at: filter.created,
    last_login_at: filter.lastLogin,
  };
  const group = column === 'created_at' ? filter.group : null;
  const state = column === 'created_at' && group === null ? filter.state : null;
  return { column, isDescending, group, state, ...(ranges[column] ?? ANY_TIME) };
}

/** Largest exact count. */
export const MAX_COUNT = 10_000;
/**
 * `maxRead`: users that are read in the order of their creation if no filter leaves few enough of them.
 * `batch`: users that are read by one statement, because a read of SQLite blocks other requests.
 */
const COUNT_BOUNDS = { maxCount: MAX_COUNT, maxRead: 50_000, batch: 500 };

interface UserCount {
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
  bounds = COUNT_BOUNDS,
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
  { first, batch, maxCount, maxRead }: typeof COUNT_BOUNDS & { readonly first: IndexRead },
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

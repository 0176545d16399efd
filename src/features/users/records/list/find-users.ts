/** Finds a page of users by any filters and in any order, at a bounded cost. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader } from '../../../../database/database.ts';
import { inBatches } from '../../../../database/rows.ts';
import type { Page, PageStart } from '../../../../lib/routes/pagination.ts';
import type { UserRow } from '../queries.ts';
import { requireIndexed } from './candidates/find-by-metadata.ts';
import { findCandidates, findTokenOwners } from './candidates/find-candidates.ts';
import { matchesFilter, type TimeRange, type UserFilter } from './filter.ts';
import type { ListedUser } from './listed-user.ts';
import { type IndexRange, readRange, readUsers } from './queries.ts';
import { matchesTerm } from './search-term.ts';
import { getPosition, getSortColumn, isAfter, type Position, sortUsers, type UserSort } from './sorts.ts';

export interface Bounds {
  /** Users that one of the filters may leave, to be read and sorted for each page. */
  readonly maxCandidates: number;
  /**
   * Users that a page reads in the order of an index. It has fewer users than the limit, and a next position, if fewer
   * of them match.
   */
  readonly maxRead: number;
  /**
   * Users that a search reads in the order of an index before it uses that of trigrams. They fill a page with a term
   * that one of twenty users has. At least 1.
   */
  readonly firstRead: number;
}

/**
 * In a million users, a filter that leaves more than the candidates also leaves more than a page of those that are
 * read in the order of an index, if they are spread evenly.
 */
const BOUNDS: Bounds = { maxCandidates: 5_000, maxRead: 5_000, firstRead: 500 };
/**
 * Largest share of the first users with a term for which the index of trigrams is used. On PostgreSQL, its cost grows
 * with the number of users who have the term.
 */
const MAX_SHARE = 0.2;
/** Users that are read at once, after those of the first attempt. */
const BATCH = 500;

export interface UserRequest extends PageStart<Position> {
  readonly filter: UserFilter;
  readonly sort: UserSort;
}

export type UserPage = Page<UserRow, Position>;

/**
 * Returns a page of users. If one of the filters leaves few of them, all of these are read and sorted. Otherwise the
 * index of the order is read, and users that do not match are skipped; a search begins with a short attempt to do so.
 * Both have the same order, so that the pages of a list may be read in either way.
 * @throws Problem invalid_filter for a member of metadata that is not indexed
 */
export async function findUsers(
  database: Database,
  request: UserRequest,
  { maxCandidates, maxRead, firstRead }: Bounds = BOUNDS,
): Promise<UserPage> {
  const { filter, sort, limit } = request;
  if (filter.metadata !== null) await requireIndexed(database, filter.metadata);
  const firstCharacters = filter.search?.firstCharacters ?? null;
  const owners =
    firstCharacters === null ? [] : await findTokenOwners(database, firstCharacters, maxCandidates);
  const ownerIds = new Set(owners);
  const matches = (user: ListedUser) => matchesFilter(user, filter, ownerIds);
  let isTermCommon = false;
  if (filter.search !== null) {
    const { page, share } = await readFirst(database, request, { matches, maxRead: firstRead });
    if (page.rows.length === limit || page.next === null) return page;
    isTermCommon = share > MAX_SHARE;
  }
  const candidates = await findCandidates(database, { filter, sort, isTermCommon, maximum: maxCandidates });
  if (candidates === null) return readIndex(database, request, { matches, maxRead });
  return toPage(await readCandidates(database, candidates, matches), request);
}

type Matches = (user: ListedUser) => boolean;

interface IndexRead {
  readonly matches: Matches;
  readonly maxRead: number;
}

async function readCandidates(
  reader: Reader,
  ids: readonly string[],
  matches: Matches,
): Promise<ListedUser[]> {
  const users: ListedUser[] = [];
  for (const batch of inBatches(ids)) {
    users.push(...(await readUsers(reader, batch)).filter(matches));
    await letOthersRun();
  }
  return users;
}

function toPage(users: readonly ListedUser[], { sort, after, limit }: UserRequest): UserPage {
  const rest = after === null ? users : users.filter((user) => isAfter(user, after, sort));
  const page = sortUsers(rest, sort).slice(0, limit);
  return { rows: page, next: rest.length > limit ? getPosition(page.at(-1)!, sort) : null };
}

/** Reads the first page of a search briefly. `share`: how many of the users that were read have the term, from 0 to 1. */
async function readFirst(
  reader: Reader,
  request: UserRequest,
  { matches, maxRead }: IndexRead,
): Promise<{ readonly page: UserPage; readonly share: number }> {
  let [read, withTerm] = [0, 0];
  const count = (user: ListedUser) => {
    read++;
    if (matchesTerm(user, request.filter.search!)) withTerm++;
    return matches(user);
  };
  const page = await readIndex(reader, request, { matches: count, maxRead });
  return { page, share: withTerm / read };
}

async function readIndex(
  reader: Reader,
  request: UserRequest,
  { matches, maxRead }: IndexRead,
): Promise<UserPage> {
  const { sort, limit } = request;
  const range = toRange(request);
  const found: ListedUser[] = [];
  let { after } = request;
  for (let read = 0; read < maxRead; ) {
    const size = read === 0 ? limit + 1 : BATCH;
    const users = await readRange(reader, range, { after, limit: size });
    found.push(...users.filter(matches));
    if (found.length > limit) {
      const page = found.slice(0, limit);
      return { rows: page, next: getPosition(page.at(-1)!, sort) };
    }
    if (users.length < size) return { rows: found, next: null };
    after = getPosition(users.at(-1)!, sort);
    read += users.length;
    await letOthersRun();
  }
  return { rows: found, next: after };
}

const ANY: TimeRange = { from: null, to: null };

function toRange({ filter, sort }: UserRequest): IndexRange {
  const { column, isDescending } = getSortColumn(sort);
  const ranges: Partial<Record<typeof column, TimeRange>> = {
    created_at: filter.created,
    last_login_at: filter.lastLogin,
  };
  const state = column === 'created_at' ? filter.state : null;
  return { column, isDescending, state, ...(ranges[column] ?? ANY) };
}

/** Reads on SQLite are synchronous: many of them in a row would block other requests. */
const letOthersRun = () => nextTurn();

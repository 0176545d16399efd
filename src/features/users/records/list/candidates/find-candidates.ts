/** Finds the users that one of the filters leaves, if they are few enough to be read for each page. */
import type { Database } from '../../../../../database/database.ts';
import { idsByTerm } from '../../search/queries.ts';
import { isLimited, type UserFilter } from '../filter.ts';
import type { SearchTerm } from '../search-term.ts';
import { getSortColumn, type UserSort } from '../sorts.ts';
import { findByMetadata } from './find-by-metadata.ts';
import { idsByPrefix, idsByTime, idsByValue } from './queries.ts';

export interface CandidateRequest {
  readonly filter: UserFilter;
  readonly sort: UserSort;
  /** Whether so many users have the term of the search that its index is not used. */
  readonly isTermCommon: boolean;
  /** Number of candidates that a filter leaves at most. */
  readonly maximum: number;
}

/** Reads ids up to a limit, which is above the maximum by one; null if they cannot be found. */
type Source = (limit: number) => Promise<string[] | null>;

/** Returns ids, or null if they are more than the maximum or cannot be found. */
type Find = (maximum: number) => Promise<readonly string[] | null>;

/** Returns the ids of candidates, or null if every filter leaves too many. */
export async function findCandidates(
  database: Database,
  request: CandidateRequest,
): Promise<readonly string[] | null> {
  for (const find of listFilters(database, request)) {
    const ids = await find(request.maximum);
    if (ids !== null) return ids;
  }
  return null;
}

/** Returns the union of all sources of a filter; null if it is too large or one of them cannot be read. */
async function readSources(sources: readonly Source[], maximum: number): Promise<readonly string[] | null> {
  const ids = new Set<string>();
  for (const source of sources) {
    const found = await source(maximum + 1);
    if (found === null || found.length > maximum) return null;
    for (const id of found) ids.add(id);
  }
  return ids.size > maximum ? null : [...ids];
}

/** Lists the filters, those that leave the fewest users in general, and those that are read fastest, first. */
function listFilters(database: Database, { filter, sort, isTermCommon }: CandidateRequest): Find[] {
  const { emailKey, search, metadata, level, lastLogin, created, state } = filter;
  const { column } = getSortColumn(sort);
  const filters: Find[] = [];
  const add = (...sources: Source[]) => filters.push((maximum) => readSources(sources, maximum));
  const addValue = (kind: 'email' | 'level' | 'state', value: string) =>
    add((limit) => idsByValue(database, kind, { value, limit }));
  if (emailKey !== null) addValue('email', emailKey);
  if (metadata !== null) filters.push((maximum) => findByMetadata(database, metadata, maximum));
  if (level !== null) addValue('level', level);
  // The index of an order by the same time, or by creation within a state, begins where the filter does.
  if (isLimited(lastLogin) && column !== 'last_login_at')
    add((limit) => idsByTime(database, 'lastLogin', { ...lastLogin, limit }));
  if (isLimited(created) && column !== 'created_at')
    add((limit) => idsByTime(database, 'created', { ...created, limit }));
  if (state !== null && column !== 'created_at') addValue('state', state);
  // Last, because PostgreSQL finds all users with the term before it returns the first one.
  if (search !== null && !isTermCommon) add(...listSearchSources(database, search));
  return filters;
}

function listSearchSources(database: Database, { key, idPrefix, firstCharacters }: SearchTerm): Source[] {
  return [
    (limit) => idsByTerm(database, key, limit),
    ...(idPrefix === null ? [] : [(limit: number) => idsByPrefix(database, idPrefix, limit)]),
    ...(firstCharacters === null
      ? []
      : [(limit: number) => idsByValue(database, 'token', { value: firstCharacters, limit })]),
  ];
}

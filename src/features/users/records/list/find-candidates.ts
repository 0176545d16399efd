/** Finds candidates: the users who match one of the filters, if they are few enough to be read for each page. */
import type { Database, Reader } from '../../../../database/database.ts';
import { endOfPrefix } from '../../../../lib/text/search-text.ts';
import { type MetadataCondition, toValueKey } from '../metadata.ts';
import { listUnindexedUsers, listUsersByKey, selectIdsByTerm } from '../search-queries.ts';
import { isLimited, toLimits, type UserFilter } from './filter.ts';
import { listIdsBy } from './queries.ts';
import { getSortColumn, type UserSort } from './sorts.ts';

interface CandidateRequest {
  readonly filter: UserFilter;
  readonly sort: UserSort;
  /** Whether so many users have the term of the search that its index is not used. */
  readonly isTermCommon: boolean;
  /** Number of candidates that a filter leaves at most. */
  readonly maximum: number;
}

/** Returns ids up to a limit; null if they are more than can be read, or cannot be found. */
type Find = (limit: number) => Promise<readonly string[] | null>;

/** Returns the ids of candidates, or null if every filter leaves too many. */
export async function findCandidates(database: Database, request: CandidateRequest) {
  for (const sources of listFilters(database, request)) {
    const ids = await readSources(sources, request.maximum);
    if (ids !== null) return ids;
  }
  return null;
}

/** Returns the union of all sources of a filter; null if it is too large or one of them cannot be read. */
async function readSources(sources: readonly Find[], maximum: number): Promise<readonly string[] | null> {
  const ids = new Set<string>();
  for (const source of sources) {
    const found = await source(maximum + 1);
    if (found === null) return null;
    for (const id of found) ids.add(id);
    if (ids.size > maximum) return null;
  }
  return [...ids];
}

/** Lists the filters, the most selective and the fastest first. */
function listFilters(database: Database, { filter, sort, isTermCommon }: CandidateRequest): Find[][] {
  const { emailKey, search, metadata, level, role, group, lastLogin, created, state } = filter;
  const { column } = getSortColumn(sort);
  const by =
    (...key: Parameters<typeof listIdsBy>[1]): Find =>
    (limit) =>
      listIdsBy(database, key, limit);
  const filters: Find[][] = [];
  if (emailKey !== null) filters.push([by('email', emailKey)]);
  if (role !== null) filters.push([by('role', role)]);
  if (metadata !== null) filters.push([(limit) => findByMetadata(database, metadata, limit)]);
  if (level !== null) filters.push([by('level', level)]);
  // The index of an order by the same time, or by creation within a group or a state, begins where the filter does.
  if (group !== null && column !== 'created_at') filters.push([by('group', group)]);
  if (isLimited(lastLogin) && column !== 'last_login_at')
    filters.push([by('lastLogin', ...toLimits(lastLogin))]);
  if (isLimited(created) && column !== 'created_at') filters.push([by('created', ...toLimits(created))]);
  if (state !== null && column !== 'created_at') filters.push([by('state', state)]);
  // Last, because PostgreSQL finds all users with the term before it returns the first one.
  if (search !== null && !isTermCommon) {
    const { key, idPrefix, firstCharacters } = search;
    const sources: Find[] = [(limit) => selectIdsByTerm(database, key, limit)];
    if (idPrefix !== null) sources.push(by('idPrefix', idPrefix, endOfPrefix(idPrefix)));
    if (firstCharacters !== null) sources.push(by('token', firstCharacters));
    filters.push(sources);
  }
  return filters;
}

/** Returns ids of users, among them all who match the condition, unless they are more than `limit`. */
async function findByMetadata(reader: Reader, { member, value }: MetadataCondition, limit: number) {
  // First: one that is indexed in between is found by its key.
  const unindexed = await listUnindexedUsers(reader, limit);
  const found = await listUsersByKey(reader, { member, valueKey: toValueKey(value), limit });
  return [...unindexed, ...found].map(({ id }) => id);
}

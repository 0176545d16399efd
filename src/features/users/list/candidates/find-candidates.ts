/** Finds the users that one of the filters leaves, if they are few enough to be read for each page. */
import type { Reader } from '../../../../database/database.ts';
import { toWordPrefixes } from '../../../../lib/text/search-words.ts';
import { isLimited, type UserFilter } from '../filter.ts';
import type { SearchTerm } from '../search-term.ts';
import { getSortColumn, type UserSort } from '../sorts.ts';
import { findByMetadata } from './find-by-metadata.ts';
import { idsByPrefix, idsByTime, idsByValue } from './queries.ts';

export interface CandidateRequest {
  readonly filter: UserFilter;
  readonly sort: UserSort;
  /** Number of candidates that a filter leaves at most. */
  readonly maximum: number;
}

/** Reads ids up to a limit, which is above the maximum by one. */
type Source = (limit: number) => Promise<string[]>;

/** Returns ids, or null if they are more than the maximum. */
type Find = (maximum: number) => Promise<readonly string[] | null>;

/** Returns the ids of candidates, or null if every filter leaves too many. */
export async function findCandidates(
  reader: Reader,
  request: CandidateRequest,
): Promise<readonly string[] | null> {
  for (const find of listFilters(reader, request)) {
    const ids = await find(request.maximum);
    if (ids !== null) return ids;
  }
  return null;
}

/** Returns the union of all sources of a filter, or null if it is too large. */
async function readSources(sources: readonly Source[], maximum: number): Promise<readonly string[] | null> {
  const ids = new Set<string>();
  for (const source of sources) {
    const found = await source(maximum + 1);
    if (found.length > maximum) return null;
    for (const id of found) ids.add(id);
  }
  return ids.size > maximum ? null : [...ids];
}

/** Lists the filters, those that leave the fewest users in general first. */
function listFilters(reader: Reader, { filter, sort }: CandidateRequest): Find[] {
  const { emailKey, search, metadata, level, lastLogin, created, state } = filter;
  const { column } = getSortColumn(sort);
  const filters: Find[] = [];
  const add = (...sources: Source[]) => filters.push((maximum) => readSources(sources, maximum));
  const addValue = (kind: 'email' | 'level' | 'state', value: string) =>
    add((limit) => idsByValue(reader, kind, { value, limit }));
  if (emailKey !== null) addValue('email', emailKey);
  if (search !== null) add(...listSearchSources(reader, search));
  if (metadata !== null) filters.push((maximum) => findByMetadata(reader, metadata, maximum));
  if (level !== null) addValue('level', level);
  // The index of an order by the same time, or by creation within a state, begins where the filter does.
  if (isLimited(lastLogin) && column !== 'last_login_at')
    add((limit) => idsByTime(reader, 'lastLogin', { ...lastLogin, limit }));
  if (isLimited(created) && column !== 'created_at')
    add((limit) => idsByTime(reader, 'created', { ...created, limit }));
  if (state !== null && column !== 'created_at') addValue('state', state);
  return filters;
}

function listSearchSources(reader: Reader, { key, idPrefix, firstCharacters }: SearchTerm): Source[] {
  const byPrefix =
    (kind: Parameters<typeof idsByPrefix>[1], prefix: string): Source =>
    (limit) =>
      idsByPrefix(reader, kind, { prefix, limit });
  return [
    ...toWordPrefixes(key).map((prefix) => byPrefix('word', prefix)),
    byPrefix('name', key),
    byPrefix('email', key),
    ...(idPrefix === null ? [] : [byPrefix('id', idPrefix)]),
    ...(firstCharacters === null ? [] : [(limit: number) => findTokenOwners(reader, firstCharacters, limit)]),
  ];
}

/** Returns the users with a token that begins with these 12 characters: 30 random bits, so hardly more than one. */
export function findTokenOwners(reader: Reader, firstCharacters: string, limit: number): Promise<string[]> {
  return idsByValue(reader, 'token', { value: firstCharacters, limit });
}

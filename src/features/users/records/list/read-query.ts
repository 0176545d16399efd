/** The filter and the order of lists of users in a query. */
import type { SchemaValue } from '../../../../lib/schema/json-schema.ts';
import { invalidFilter, toTime } from '../../../../lib/schema/query-parameters.ts';
import { normalizeName, normalizeOptionalEmail } from '../../../../lib/text/normalize.ts';
import type { MetadataCondition } from '../metadata-index/members.ts';
import type { SearchTerm, UserFilter } from './filter.ts';
import { filterParameters } from './schemas.ts';
import type { UserSort } from './sorts.ts';

export const filterSchema = { type: 'object', properties: filterParameters } as const;

/** Returns the filter of a validated query. @throws Problem invalid_filter for a search without letters */
export function toUserFilter(query: SchemaValue<typeof filterSchema>): UserFilter {
  const { state = null, level = null, role = null, email, verified, metadata, search } = query;
  return {
    state,
    emailKey: normalizeOptionalEmail(email ?? null),
    level,
    role,
    isVerified: verified === undefined ? null : verified === 'true',
    created: { from: toTime(query.created_from), to: toTime(query.created_to) },
    lastLogin: { from: toTime(query.last_login_from), to: toTime(query.last_login_to) },
    metadata: metadata === undefined ? null : toCondition(metadata),
    search: search === undefined ? null : parseSearchTerm(search),
  };
}

/** The first colon ends the member: its name has none. */
function toCondition(given: string): MetadataCondition {
  const colon = given.indexOf(':');
  return { member: given.slice(0, colon), value: given.slice(colon + 1) };
}

/** At least the first group: the first characters are the same for all users of some years. */
const ID_PREFIX = /^[0-9a-f]{8}(?:$|-[0-9a-f-]{0,27}$)/;
/** As `firstCharacters` returns them. */
const TOKEN_PREFIX = /^fd_pat_[0-9A-Za-z]{5}/;

/** @throws Problem invalid_filter */
export function parseSearchTerm(given: string): SearchTerm {
  const text = given.trim();
  const id = text.toLowerCase();
  const key = normalizeName(text);
  if (key === '') throw invalidFilter(`search ${filterParameters.search['x-message']}`);
  const firstCharacters = TOKEN_PREFIX.exec(text)?.[0] ?? null;
  return { key, idPrefix: ID_PREFIX.test(id) ? id : null, firstCharacters };
}

/** Returns the order of a validated query; `order` is the earlier name of `sort`. @throws Problem invalid_filter */
export function toSort({ order, sort }: { [K in 'order' | 'sort']?: UserSort | undefined }): UserSort {
  if (order !== undefined && sort !== undefined) throw invalidFilter('order and sort cannot be combined');
  return sort ?? order ?? 'created_at';
}

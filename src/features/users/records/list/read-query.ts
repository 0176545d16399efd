/** The filter and the order of lists of users in a query. */
import type { SchemaValue } from '../../../../lib/schema/json-schema.ts';
import { toTime } from '../../../../lib/schema/parameters.ts';
import { invalidFilter } from '../../../../lib/schema/query-validator.ts';
import type { MetadataCondition } from '../metadata-index/members.ts';
import { normalizeOptionalEmail } from '../rules.ts';
import type { UserFilter } from './filter.ts';
import { filterParameters } from './schemas.ts';
import { parseSearchTerm, type SearchTerm } from './search-term.ts';
import type { UserSort } from './sorts.ts';

export const filterSchema = { type: 'object', properties: filterParameters } as const;

/** Returns the filter of a validated query. @throws Problem invalid_filter for a search without letters */
export function toUserFilter(query: SchemaValue<typeof filterSchema>): UserFilter {
  const { state = null, level = null, email, verified, metadata, search } = query;
  return {
    state,
    emailKey: normalizeOptionalEmail(email ?? null),
    level,
    isVerified: verified === undefined ? null : verified === 'true',
    created: { from: toTime(query.created_from), to: toTime(query.created_to) },
    lastLogin: { from: toTime(query.last_login_from), to: toTime(query.last_login_to) },
    metadata: metadata === undefined ? null : toCondition(metadata),
    search: search === undefined ? null : toTerm(search),
  };
}

/** The first colon ends the member: its name has none. */
function toCondition(given: string): MetadataCondition {
  const colon = given.indexOf(':');
  return { member: given.slice(0, colon), value: given.slice(colon + 1) };
}

function toTerm(given: string): SearchTerm {
  const term = parseSearchTerm(given);
  if (term.key === '') throw invalidFilter(`search ${filterParameters.search['x-message']}`);
  return term;
}

/** Returns the order of a validated query; `order` is the earlier name of `sort`. @throws Problem invalid_filter */
export function toSort({ order, sort }: { [K in 'order' | 'sort']?: UserSort | undefined }): UserSort {
  if (order !== undefined && sort !== undefined) throw invalidFilter('order and sort cannot be combined');
  return sort ?? order ?? 'created_at';
}

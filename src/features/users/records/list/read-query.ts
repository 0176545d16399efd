/** Reads the filters and the order of a list of users from a query. */
import { invalidFilter, readChoice, readDateOrTime, readText } from '../../../../lib/routes/filters.ts';
import type { Query } from '../../../../lib/routes/query.ts';
import { codePointLength, isStorable } from '../../../../lib/text/text.ts';
import { timestamp } from '../../../../lib/time/clock.ts';
import { isIndexedMember, type MetadataCondition } from '../metadata-index/members.ts';
import { normalizeOptionalEmail } from '../rules.ts';
import { USER_STATES } from '../user-states.ts';
import type { TimeRange, UserFilter } from './filter.ts';
import { parseSearchTerm, type SearchTerm } from './search-term.ts';
import { USER_SORTS, type UserSort } from './sorts.ts';

/** @throws Problem invalid_filter, whose text names the parameter */
export function readFilter(query: Query): UserFilter {
  const email = readText(query, 'email');
  if (email !== null && !isStorable(email)) throw invalidFilter('email is not an address');
  const level = readText(query, 'level');
  if (level !== null && !isStorable(level)) throw invalidFilter('level has characters that no level has');
  const verified = readChoice(query, 'verified', ['true', 'false'] as const);
  return {
    state: readChoice(query, 'state', USER_STATES),
    emailKey: normalizeOptionalEmail(email),
    level,
    isVerified: verified === null ? null : verified === 'true',
    created: readRange(query, 'created'),
    lastLogin: readRange(query, 'last_login'),
    metadata: readMetadata(query),
    search: readSearch(query),
  };
}

/** `order` is the earlier name of `sort`. */
const ORDERS = ['created_at', '-created_at'] as const satisfies readonly UserSort[];

/** Reads `sort`, or `order`. @throws Problem invalid_filter */
export function readSort(query: Query): UserSort {
  const order = readChoice(query, 'order', ORDERS);
  const sort = readChoice(query, 'sort', USER_SORTS);
  if (order !== null && sort !== null) throw invalidFilter('order and sort cannot be combined');
  return sort ?? order ?? 'created_at';
}

function readRange(query: Query, name: 'created' | 'last_login'): TimeRange {
  return { from: readDateOrTime(query, `${name}_from`), to: readDateOrTime(query, `${name}_to`) };
}

/** The first colon ends the member: its name has none. */
function readMetadata(query: Query): MetadataCondition | null {
  const given = readText(query, 'metadata');
  if (given === null) return null;
  const colon = given.indexOf(':');
  const [member, value] = [given.slice(0, colon), given.slice(colon + 1)];
  if (colon === -1 || !isIndexedMember(member))
    throw invalidFilter('metadata must be a member and its value, such as app_metadata.plan:pro');
  if (!isStorable(value)) throw invalidFilter('metadata has characters that no metadata has');
  return { member, value };
}

const MAX_SEARCH_LENGTH = 255;

function readSearch(query: Query): SearchTerm | null {
  const given = readText(query, 'search');
  if (given === null) return null;
  const term = isStorable(given) && codePointLength(given) <= MAX_SEARCH_LENGTH && parseSearchTerm(given);
  if (!term || term.key === '') {
    throw invalidFilter(
      `search must have 1 to ${MAX_SEARCH_LENGTH} characters, not only white space or accents`,
    );
  }
  return term;
}

/** Returns the parameters of a query with this filter and order, without those that are the default. */
export function toParameters(filter: UserFilter, sort: UserSort): Record<string, string> {
  const { state, emailKey, level, isVerified, created, lastLogin, metadata, search } = filter;
  const parameters: Record<string, string | null> = {
    state,
    email: emailKey,
    level,
    verified: isVerified === null ? null : String(isVerified),
    created_from: toTime(created.from),
    created_to: toTime(created.to),
    last_login_from: toTime(lastLogin.from),
    last_login_to: toTime(lastLogin.to),
    metadata: metadata === null ? null : `${metadata.member}:${metadata.value}`,
    search: search?.text ?? null,
    sort: sort === 'created_at' ? null : sort,
  };
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

const toTime = (time: number | null) => (time === null ? null : timestamp(time));

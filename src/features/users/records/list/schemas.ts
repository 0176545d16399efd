import { ROLE_NAMES } from '../../../../callers/admin-scopes.ts';
import { type JsonSchema, type SchemaValue, STORABLE_PATTERN } from '../../../../lib/schema/json-schema.ts';
import {
  dateOrTimeParameter,
  invalidFilter,
  searchText,
  toTime,
} from '../../../../lib/schema/query-parameters.ts';
import { normalizeName, normalizeOptionalEmail } from '../../../../lib/text/normalize.ts';
import { GROUP_NAME } from '../member-schemas.ts';
import type { MetadataCondition } from '../metadata.ts';
import { USER_STATES } from '../user-counters.ts';
import type { SearchTerm, UserFilter } from './filter.ts';
import { USER_SORTS, type UserSort } from './sorts.ts';

/** Filters that can be combined: a user has to match all of them. */
const filterParameters = {
  state: { type: 'string', enum: USER_STATES, description: 'Returns the records in this state.' },
  email: {
    type: 'string',
    pattern: STORABLE_PATTERN,
    'x-message': 'is not an address',
    description: 'Returns the records with exactly this address, ignoring case and surrounding white space.',
  },
  level: {
    type: 'string',
    pattern: STORABLE_PATTERN,
    'x-message': 'has characters that no level has',
    description: 'Returns the records with exactly this level.',
  },
  role: { type: 'string', enum: ROLE_NAMES, description: 'Returns the people with this role.' },
  group: {
    type: 'string',
    pattern: GROUP_NAME,
    'x-message': 'is not the name of a group',
    description: 'Returns the users in the group with this name.',
  },
  verified: {
    type: 'string',
    enum: ['true', 'false'],
    description: 'Returns the records whose email is verified, or is not.',
  },
  created_from: dateOrTimeParameter('Returns the records created at this time or later.'),
  created_to: dateOrTimeParameter('Returns the records created before this time.'),
  last_login_from: dateOrTimeParameter('Returns the records whose last login was at this time or later.'),
  last_login_to: dateOrTimeParameter('Returns the records whose last login was before this time.'),
  metadata: {
    type: 'string',
    pattern: String.raw`^(?:user|app)_metadata\.[^\s:,\x00-\x1f\x7f-\x9f]{1,64}:[^\x00]*$`,
    'x-message': 'must be a member and its value, such as app_metadata.plan:pro',
    description:
      'Returns the records whose metadata has this member with exactly this text: the member, a colon and the text. Of each record, the first 20 texts at the top level of `app_metadata` and then of `user_metadata` can be found.',
    examples: ['app_metadata.plan:pro'],
  },
  search: {
    ...searchText,
    description:
      'Returns the records whose name or email contains this text, ignoring case and accents: `hopper`, `opp`, `miller@ex` or `@example.org`. One or two characters have to begin a word, which begins after any character other than a letter or digit; each Chinese, Japanese or Korean character begins one. Also returns the record with an id that begins with this text, from its first 8 characters on, and the record with a token that begins with its `first_characters`.',
    examples: ['hopper'],
  },
} as const satisfies Record<string, JsonSchema>;

export const listParameters = {
  ...filterParameters,
  sort: {
    type: 'string',
    enum: USER_SORTS,
    default: 'created_at',
    description:
      'Order of the records: with `-`, the newest or last first. Records without a login, name or email are last in both directions. Names are compared without case and accents, character by character.',
  },
  order: {
    type: 'string',
    enum: ['created_at', '-created_at'],
    description: 'Earlier name of `sort`. Not together with it.',
  },
} as const satisfies Record<string, JsonSchema>;

export const filterSchema = { type: 'object', properties: filterParameters } as const;

/** Returns the filter of a validated query. @throws Problem invalid_filter for a search without letters */
export function toUserFilter(query: SchemaValue<typeof filterSchema>): UserFilter {
  const { state = null, level = null, role = null, group = null, email, verified, metadata, search } = query;
  return {
    state,
    emailKey: normalizeOptionalEmail(email ?? null),
    level,
    role,
    group,
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
const TOKEN_PREFIX = /^fd_(?:pat_|rt_[0-9A-Za-z])[0-9A-Za-z]{5}/;

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

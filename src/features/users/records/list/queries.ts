/** Users in the order of an index, and users who match a filter. Those without the sorted value come after the others. */
import { type Reader, sql, type Value } from '../../../../database/database.ts';
import { toJsonKeys } from '../../../../database/prepare.ts';
import type { PageStart } from '../../../../lib/routes/pagination.ts';
import { endOfPrefix, toPattern } from '../../../../lib/text/search-text.ts';
import { type MetadataCondition, matchesCondition } from '../metadata.ts';
import { USER_COLUMNS } from '../queries.ts';
import type { UserState } from '../user-counters.ts';
import { isLimited, toLimits, type UserFilter } from './filter.ts';
import {
  forEachColumn,
  getSortColumn,
  type ListedUser,
  type Position,
  type SortColumn,
  type UserSort,
} from './sorts.ts';

const COLUMNS = `${USER_COLUMNS}, users.email_key, users.name_key`;

const isTime = (column: SortColumn) => column === 'created_at' || column === 'last_login_at';

/** Users have the times in any case. */
const getColumns = (column: SortColumn) =>
  isTime(column) ? USER_COLUMNS : `${USER_COLUMNS}, users.${column}`;

const select = (column: SortColumn, where: string, order: string) =>
  sql<ListedUser>(`select ${getColumns(column)} from users where ${where} order by ${order}`);

const byValue = (column: SortColumn) => ({
  ascending: select(column, `(${column}, id) > ($1, $2) and ${column} < $3`, `${column}, id limit $4`),
  descending: select(
    column,
    `(${column}, id) < ($1, $2) and ${column} >= $3`,
    `${column} desc, id desc limit $4`,
  ),
});

/** With the state in the order instead of `state = $5`: no other index has this order, whatever the statistics say. */
const BY_STATE = {
  ascending: select(
    'created_at',
    '(state, created_at, id) > ($5, $1, $2) and (state, created_at) < ($5, $3)',
    'state, created_at, id limit $4',
  ),
  descending: select(
    'created_at',
    '(state, created_at, id) < ($5, $1, $2) and (state, created_at) >= ($5, $3)',
    'state desc, created_at desc, id desc limit $4',
  ),
};

const toGroupId = (name: string) => `(select groups.id from groups where groups.name = ${name})`;
const selectMembers = (where: string, order: string) =>
  sql<ListedUser>(`
    select ${USER_COLUMNS} from group_members join users on users.id = group_members.user_id
    where group_id = ${toGroupId('$5')} and ${where} order by ${order} limit $4`);
const BY_GROUP = {
  ascending: selectMembers(
    '(user_created_at, user_id) > ($1, $2) and user_created_at < $3',
    'user_created_at, user_id',
  ),
  descending: selectMembers(
    '(user_created_at, user_id) < ($1, $2) and user_created_at >= $3',
    'user_created_at desc, user_id desc',
  ),
};

const withoutValue = (column: SortColumn) => ({
  ascending: select(column, `${column} is null and id > $1`, `${column}, id limit $2`),
  descending: select(column, `${column} is null and id < $1`, `${column} desc, id desc limit $2`),
});

const VALUES = forEachColumn(byValue);
/** Every user has a time of creation. */
const NULLS = {
  last_login_at: withoutValue('last_login_at'),
  name_key: withoutValue('name_key'),
  email_key: withoutValue('email_key'),
};

/** A page of users: those who match the filter, in this order, after a position. */
export interface UserRequest extends PageStart<Position> {
  readonly filter: UserFilter;
  readonly sort: UserSort;
}

/** A part of an index. */
export interface IndexRange {
  readonly column: SortColumn;
  readonly isDescending: boolean;
  /** Limits of the values of the sorted column: from inclusive, to exclusive. Null for all. */
  readonly from: number | null;
  readonly to: number | null;
  /** Only users in the group with this name, or else in this state: both have an index for `created_at`. */
  readonly group: string | null;
  readonly state: UserState | null;
}

const FIRST = { number: Number.MIN_SAFE_INTEGER, text: '' };
const LAST = { number: Number.MAX_SAFE_INTEGER, text: endOfPrefix('') };
const LAST_ID = '\u{10ffff}';

/** Returns at most `limit` users after a position; fewer only if there are no more. */
export async function readRange(reader: Reader, range: IndexRange, { after, limit }: PageStart<Position>) {
  const isInNulls = after !== null && after.key === null;
  const users = isInNulls ? [] : await readValues(reader, range, { after, limit });
  const hasNulls = range.column !== 'created_at' && range.from === null && range.to === null;
  if (users.length === limit || !hasNulls) return users;
  const rest = { after: isInNulls ? after.id : null, limit: limit - users.length };
  return [...users, ...(await readNulls(reader, range, rest))];
}

function readValues(
  reader: Reader,
  { column, isDescending, from, to, group, state }: IndexRange,
  { after, limit }: PageStart<Position>,
): Promise<ListedUser[]> {
  const type = isTime(column) ? 'number' : 'text';
  const [first, last] = [from ?? FIRST[type], to ?? LAST[type]];
  const [begin, end] = isDescending ? [last, first] : [first, last];
  const { key, id } = after ?? { key: begin, id: '' };
  const scope = group ?? state;
  const statements = scope === null ? VALUES[column] : group === null ? BY_STATE : BY_GROUP;
  const statement = statements[isDescending ? 'descending' : 'ascending'];
  return reader.all(statement, key, id, end, limit, ...(scope === null ? [] : [scope]));
}

function readNulls(
  reader: Reader,
  { column, isDescending }: IndexRange,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ListedUser[]> {
  const statement = NULLS[column as keyof typeof NULLS][isDescending ? 'descending' : 'ascending'];
  return reader.all(statement, after ?? (isDescending ? LAST_ID : ''), limit);
}

/** `$2` to `$15`, `$20` and `$21` are the values of a filter: null or the widest range for a condition that it does not have. */
const CONDITIONS = `
  (cast($2 as text) is null or state = $2) and (cast($3 as text) is null or email_key = $3)
  and (cast($4 as text) is null or level = $4) and (cast($20 as text) is null or role = $20)
  and (cast($5 as bigint) is null or (email_verified_at is not null) = ($5 = 1))
  and (cast($21 as text) is null or exists (select 1 from group_members
    where group_members.user_id = examined.id and group_members.group_id = ${toGroupId('$21')}))
  and created_at >= $6 and created_at < $7
  and (cast($8 as bigint) is null or (last_login_at >= $8 and last_login_at < $9))
  and (cast($10 as text) is null
    or case $10 when 'app_metadata' then app_metadata else user_metadata end like $11 escape '\\')
  and (cast($12 as text) is null
    or (select content from user_texts where user_texts.user_id = examined.id) like $12 escape '\\'
    or (id >= $13 and id < $14)
    or id in (select tokens.user_id from tokens where first_characters = $15))`;

/** More users than are examined at a time. The limit keeps the engines from reading users in the order of the list. */
const MAX_EXAMINED = 10_000;

function selectMatching(column: SortColumn, isDescending: boolean) {
  const rank = `case when ${column} is null then ${isDescending ? 0 : 1} else ${isDescending ? 1 : 0} end`;
  const key = `coalesce(${column}, ${isTime(column) ? '0' : "''"})`;
  const direction = isDescending ? 'desc' : 'asc';
  return sql<ListedUser>(`
    select ${getColumns(column).replaceAll('users.', '')} from (
      select ${COLUMNS} from users where users.id in (select key from json_each($1)) limit ${MAX_EXAMINED}
    ) as examined
    where ${CONDITIONS} and (${rank}, ${key}, id) ${isDescending ? '<' : '>'} ($16, $17, $18)
    order by ${rank} ${direction}, ${column} ${direction}, id ${direction} limit $19`);
}

const MATCHING = forEachColumn((column) => ({
  ascending: selectMatching(column, false),
  descending: selectMatching(column, true),
}));

/** Returns the first of these users, in the order of `sort` after a position, who match the filter. */
export async function selectUsers(
  reader: Reader,
  ids: readonly string[],
  { filter, sort, after, limit }: UserRequest,
): Promise<ListedUser[]> {
  const { column, isDescending } = getSortColumn(sort);
  const { metadata } = filter;
  const users = await reader.all(
    MATCHING[column][isDescending ? 'descending' : 'ascending'],
    toJsonKeys(ids),
    ...toValues(filter),
    ...toRank(after, isDescending),
    after?.key ?? (isTime(column) ? 0 : ''),
    after?.id ?? '',
    metadata === null ? limit : ids.length,
    filter.role,
    filter.group,
  );
  if (metadata === null) return users;
  // Texts of the metadata that look like the member can be at other places in it.
  return users.filter((user) => matchesCondition(user, metadata)).slice(0, limit);
}

function toValues({ state, emailKey, level, isVerified, created, lastLogin, metadata, search }: UserFilter) {
  const idPrefix = search?.idPrefix ?? null;
  return [
    ...[state, emailKey, level, isVerified === null ? null : Number(isVerified)],
    ...toLimits(created),
    ...(isLimited(lastLogin) ? toLimits(lastLogin) : [null, null]),
    ...(metadata === null ? [null, null] : toMetadataPattern(metadata)),
    search === null ? null : toContainsPattern(toPattern(search.key)),
    ...(idPrefix === null ? [null, null] : [idPrefix, endOfPrefix(idPrefix)]),
    search?.firstCharacters ?? null,
  ];
}

/** Returns the column, and a pattern of its text. */
function toMetadataPattern({ member, value }: MetadataCondition): string[] {
  const dot = member.indexOf('.');
  return [
    member.slice(0, dot),
    toContainsPattern(`${JSON.stringify(member.slice(dot + 1))}:${JSON.stringify(value)}`),
  ];
}

const toContainsPattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Returns the rank of a position: users without the value are last in both directions. */
function toRank(after: Position | null, isDescending: boolean): number[] {
  if (after === null) return [isDescending ? 2 : -1];
  return [Number((after.key === null) !== isDescending)];
}

/** Statements of the ids of users who match one filter, each of which reads a covering index. */
const selectIds = (condition: string, order: string, limit: string) =>
  sql<{ id: string }>(`select id from users where ${condition} order by ${order} limit ${limit}`);
const byIdRange = (column: string) => selectIds(`${column} >= $1 and ${column} < $2`, column, '$3');

/** By a value, or by a range: from inclusive, to exclusive. */
const STATEMENTS = {
  idPrefix: byIdRange('id'),
  created: byIdRange('created_at'),
  lastLogin: byIdRange('last_login_at'),
  email: selectIds('email_key = $1', 'email_key, id', '$2'),
  role: selectIds('role = $1', 'role, id', '$2'),
  group: sql<{ id: string }>(`
    select user_id as id from group_members where group_id = ${toGroupId('$1')}
    order by user_created_at limit $2`),
  level: selectIds('level = $1', 'level, id', '$2'),
  // With an order that only one index has.
  state: selectIds('state >= $1 and state <= $1', 'state, created_at', '$2'),
  token: sql<{ id: string }>('select user_id as id from tokens where first_characters = $1 limit $2'),
};

/** Returns the ids of at most `limit` users. */
export async function listIdsBy(
  reader: Reader,
  [kind, ...values]: readonly [keyof typeof STATEMENTS, ...Value[]],
  limit: number,
): Promise<string[]> {
  return (await reader.all(STATEMENTS[kind], ...values, limit)).map(({ id }) => id);
}

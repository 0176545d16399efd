/** Users in the order of an index. Those without the sorted value are read after the others. */
import { type Reader, type Statement, sql } from '../../../../database/database.ts';
import { sqlForRows } from '../../../../database/rows.ts';
import { endOfPrefix } from '../../../../lib/text/prefix-range.ts';
import { USER_COLUMNS } from '../queries.ts';
import type { UserState } from '../user-states.ts';
import type { ListedUser } from './listed-user.ts';
import type { Position, SortColumn } from './sorts.ts';

const COLUMNS = `${USER_COLUMNS}, users.email_key, users.name_key`;

const select = (where: string, order: string, limit: string) =>
  sql<ListedUser>(`select ${COLUMNS} from users where ${where} order by ${order} limit ${limit}`);

const byValue = (column: SortColumn) => ({
  ascending: select(`(${column}, id) > ($1, $2) and ${column} < $3`, `${column}, id`, '$4'),
  descending: select(`(${column}, id) < ($1, $2) and ${column} >= $3`, `${column} desc, id desc`, '$4'),
});

/** With the state in the order instead of `state = $5`: no other index has this order, whatever the statistics say. */
const BY_STATE = {
  ascending: select(
    '(state, created_at, id) > ($5, $1, $2) and (state, created_at) < ($5, $3)',
    'state, created_at, id',
    '$4',
  ),
  descending: select(
    '(state, created_at, id) < ($5, $1, $2) and (state, created_at) >= ($5, $3)',
    'state desc, created_at desc, id desc',
    '$4',
  ),
};

const withoutValue = (column: SortColumn) => ({
  ascending: select(`${column} is null and id > $1`, `${column}, id`, '$2'),
  descending: select(`${column} is null and id < $1`, `${column} desc, id desc`, '$2'),
});

const VALUES = {
  created_at: byValue('created_at'),
  last_login_at: byValue('last_login_at'),
  name_key: byValue('name_key'),
  email_key: byValue('email_key'),
};
const NULLS = {
  last_login_at: withoutValue('last_login_at'),
  name_key: withoutValue('name_key'),
  email_key: withoutValue('email_key'),
};

/** A part of an index. */
export interface IndexRange {
  readonly column: SortColumn;
  readonly isDescending: boolean;
  /** Limits of the values of the sorted column: from inclusive, to exclusive. Null for all. */
  readonly from: number | null;
  readonly to: number | null;
  /** Only users in this state, which has an index for `created_at`. */
  readonly state: UserState | null;
}

const FIRST = { number: Number.MIN_SAFE_INTEGER, text: '' };
const LAST = { number: Number.MAX_SAFE_INTEGER, text: endOfPrefix('') };
const LAST_ID = '\u{10ffff}';

/** Returns at most `limit` users after a position; fewer only if there are no more. */
export async function readRange(
  reader: Reader,
  range: IndexRange,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<ListedUser[]> {
  const isInNulls = after !== null && after.key === null;
  const users = isInNulls ? [] : await readValues(reader, range, { after, limit });
  if (users.length === limit || !hasNulls(range)) return users;
  const rest = { after: isInNulls ? after.id : null, limit: limit - users.length };
  return [...users, ...(await readNulls(reader, range, rest))];
}

function hasNulls({ column, from, to }: IndexRange): boolean {
  return column !== 'created_at' && from === null && to === null;
}

function readValues(
  reader: Reader,
  { column, isDescending, from, to, state }: IndexRange,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<ListedUser[]> {
  const type = column === 'created_at' || column === 'last_login_at' ? 'number' : 'text';
  const [first, last] = [from ?? FIRST[type], to ?? LAST[type]];
  const [begin, end] = isDescending ? [last, first] : [first, last];
  const { key, id } = after ?? { key: begin, id: '' };
  const statements = state === null ? VALUES[column] : BY_STATE;
  const statement = isDescending ? statements.descending : statements.ascending;
  return reader.all(statement, key, id, end, limit, ...(state === null ? [] : [state]));
}

function readNulls(
  reader: Reader,
  { column, isDescending }: IndexRange,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ListedUser[]> {
  const { ascending, descending } = NULLS[column as keyof typeof NULLS];
  const statement: Statement<ListedUser> = isDescending ? descending : ascending;
  return reader.all(statement, after ?? (isDescending ? LAST_ID : ''), limit);
}

const LISTED = sqlForRows<ListedUser>(
  { columns: { user_id: 'text' } },
  (given) => `
    with ${given}
    select ${COLUMNS} from users where id in (select user_id from given)`,
);

/** Returns at most 500 users in any order. */
export function readUsers(reader: Reader, ids: readonly string[]): Promise<ListedUser[]> {
  const { statement, values } = LISTED(
    [],
    ids.map((id) => [id]),
  );
  return reader.all(statement, ...values);
}

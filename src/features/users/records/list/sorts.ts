/** Orders of the list of users, and positions in them. Users without the value are last in both directions. */
import type { UserRow } from '../queries.ts';

export interface ListedUser extends UserRow {
  readonly email_key?: string | null;
  readonly name_key?: string | null;
}

/** Parameter values: with `-`, the newest or last first. */
export const USER_SORTS = [
  'created_at',
  '-created_at',
  'last_login_at',
  '-last_login_at',
  'name',
  '-name',
  'email',
  '-email',
] as const;

export type UserSort = (typeof USER_SORTS)[number];

const COLUMNS = {
  created_at: 'created_at',
  last_login_at: 'last_login_at',
  name: 'name_key',
  email: 'email_key',
} as const;

export type SortColumn = (typeof COLUMNS)[keyof typeof COLUMNS];

/** Returns what `create` returns for each column that can be sorted. */
export function forEachColumn<T>(create: (column: SortColumn) => T): Readonly<Record<SortColumn, T>> {
  const columns = Object.values(COLUMNS).map((column) => [column, create(column)]);
  return Object.fromEntries(columns);
}

/** Returns the column that is sorted, and whether its order is descending. */
export function getSortColumn(sort: UserSort): {
  readonly column: SortColumn;
  readonly isDescending: boolean;
} {
  const isDescending = sort.startsWith('-');
  return { column: COLUMNS[(isDescending ? sort.slice(1) : sort) as keyof typeof COLUMNS], isDescending };
}

export interface Position {
  readonly key: string | number | null;
  readonly id: string;
}

export function getPosition(user: ListedUser, sort: UserSort): Position {
  return { key: user[getSortColumn(sort).column]!, id: user.id };
}

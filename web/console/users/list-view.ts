/** The view of the list in its URL. */
import { query, withQuery } from '../../common/router.tsx';
import type { Filter } from '../records/filters.tsx';
import { COLUMN_IDS, type ColumnId, getColumn, IDENTIFYING } from './columns.tsx';

const DEFAULT_COLUMNS: readonly ColumnId[] = ['name', 'email', 'state', 'level', 'created', 'login'];

/** Columns without room on windows of medium width. All that a person has chosen are shown. */
export function listWideColumns(columns: readonly ColumnId[]): readonly ColumnId[] {
  return isDefault(columns) ? ['level', 'login'] : [];
}

function isDefault(columns: readonly ColumnId[]): boolean {
  return columns.join() === DEFAULT_COLUMNS.join();
}

const SORTS = COLUMN_IDS.flatMap((id) => {
  const { sort } = getColumn(id);
  return sort === undefined ? [] : [sort, `-${sort}`];
});
export const DEFAULT_SORT = '-created_at';

export interface ListView {
  readonly filter: Filter;
  readonly sort: string;
  /** Cursor of the page; null for the first. */
  readonly cursor: string | null;
  readonly columns: readonly ColumnId[];
}

/** Returns the parts of the view beside its filter. Unknown values count as absent. */
export function readOrder(): Omit<ListView, 'filter'> {
  // `order` is the earlier name of `sort`.
  const sort = query.value.get('sort') ?? query.value.get('order') ?? '';
  return {
    sort: SORTS.includes(sort) ? sort : DEFAULT_SORT,
    cursor: query.value.get('cursor'),
    columns: readColumns(query.value.get('columns')),
  };
}

function readColumns(text: string | null): readonly ColumnId[] {
  const names = new Set((text ?? '').split(','));
  const named = [...names].filter((name) => (COLUMN_IDS as readonly string[]).includes(name)) as ColumnId[];
  if (named.length === 0) return DEFAULT_COLUMNS;
  return named.some((name) => (IDENTIFYING as readonly ColumnId[]).includes(name))
    ? named
    : ['email', ...named];
}

export const USERS = '/console/users';

export function linkTo({ filter, ...order }: ListView): string {
  return linkToUsers({ ...filter, ...toParameters(order) });
}

/** Returns order, page and columns as parameters of the URL, unless they are the usual ones. */
export function toParameters({ sort, cursor, columns }: Omit<ListView, 'filter'>): Filter {
  return {
    sort: sort === DEFAULT_SORT ? null : sort,
    cursor,
    columns: isDefault(columns) ? null : columns.join(),
  };
}

/** Returns the view of these users in the usual order. */
export function linkToUsers(filter: Filter): string {
  return withQuery(USERS, filter);
}

const PAGE_SIZE = '50';

export function apiPath({ filter, sort, cursor }: ListView, limit = PAGE_SIZE): string {
  return withQuery('/api/v1/users', { limit, ...filter, sort, cursor });
}

export function exportPath({ filter }: ListView): string {
  return withQuery('/api/v1/admin/users/export', filter);
}

/** The list that was shown last, to which the view of a user leads back. */
export const lastList = { to: USERS, state: null as unknown };

/** The view of the list in its URL. */
import type { UserState } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';
import { STATES } from '../user-record.tsx';

export const COLUMN_NAMES = {
  name: 'Name',
  email: 'Email',
  state: 'State',
  level: 'Level',
  verified: 'Verified',
  created: 'Created',
  updated: 'Updated',
  id: 'Id',
} as const;
export type ColumnId = keyof typeof COLUMN_NAMES;

/** Columns whose text is cut where there is no room for it. */
export const LONG_COLUMNS: readonly ColumnId[] = ['name', 'email', 'level', 'id'];
/** Columns that stand at the end of their cell. */
export const TIME_COLUMNS: readonly ColumnId[] = ['verified', 'created', 'updated'];

/** At least one of them is shown: without them, a row does not identify a user. */
export const IDENTIFYING: readonly ColumnId[] = ['id', 'name', 'email'];
const DEFAULT_COLUMNS: readonly ColumnId[] = ['name', 'email', 'state', 'level', 'created'];

/** Columns without room on windows of medium width. All that a person has chosen are shown. */
export function listWideColumns(columns: readonly ColumnId[]): readonly ColumnId[] {
  return isDefault(columns) ? ['level'] : [];
}

function isDefault(columns: readonly ColumnId[]): boolean {
  return columns.join() === DEFAULT_COLUMNS.join();
}

export const ORDERS = { '-created_at': 'Newest first', created_at: 'Oldest first' } as const;
export type Order = keyof typeof ORDERS;
const DEFAULT_ORDER: Order = '-created_at';

export interface ListView {
  readonly search: string;
  /** Null for all. */
  readonly state: UserState | null;
  readonly order: Order;
  /** Cursor of the page; null for the first. */
  readonly cursor: string | null;
  readonly columns: readonly ColumnId[];
}

/** Unknown values are those of another release, or typed: they count as absent. */
export function readView(query: URLSearchParams): ListView {
  const state = query.get('state') ?? '';
  const order = query.get('order') ?? '';
  return {
    search: query.get('search') ?? '',
    state: isMember(STATES, state) ? state : null,
    order: isMember(ORDERS, order) ? order : DEFAULT_ORDER,
    cursor: query.get('cursor'),
    columns: readColumns(query.get('columns')),
  };
}

/** Not `in`, which also finds what every object inherits. */
function isMember<T extends object>(object: T, name: string): name is string & keyof T {
  return Object.hasOwn(object, name);
}

function readColumns(text: string | null): readonly ColumnId[] {
  const names = new Set((text ?? '').split(','));
  const named = [...names].filter((name) => isMember(COLUMN_NAMES, name));
  if (named.length === 0) return DEFAULT_COLUMNS;
  return named.some((name) => IDENTIFYING.includes(name)) ? named : ['email', ...named];
}

const USERS = '/console/users';

export function linkTo({ search, state, order, cursor, columns }: ListView): string {
  return withQuery(USERS, {
    search,
    state,
    order: order === DEFAULT_ORDER ? null : order,
    cursor,
    columns: isDefault(columns) ? null : columns.join(),
  });
}

const PAGE_SIZE = '50';

/** Returns the path of the request. A search has an order of its own. */
export function apiPath({ search, state, order, cursor }: ListView): string {
  const parameters = { limit: PAGE_SIZE, search, state, order: search === '' ? order : null, cursor };
  return withQuery('/api/v1/users', parameters);
}

export function exportPath({ search, state }: ListView): string {
  return withQuery('/api/v1/admin/users/export', { search, state });
}

/** The cursors of the pages before this one, oldest first; the empty string for the first page. */
export interface Trail {
  readonly trail: readonly string[];
}

/** Browsers limit the size of the state of an entry of the history. */
const MAX_TRAIL = 100;

export function getTrail(state: unknown): readonly string[] {
  const { trail } = (state ?? {}) as Partial<Trail>;
  return Array.isArray(trail) ? trail : [];
}

export function appendToTrail(trail: readonly string[], cursor: string | null): Trail {
  return { trail: [...trail, cursor ?? ''].slice(-MAX_TRAIL) };
}

/** The list that was shown last, to which the view of a user leads back. */
export const lastList = { to: USERS, state: null as unknown };

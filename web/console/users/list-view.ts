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
  login: 'Last login',
  updated: 'Updated',
  id: 'Id',
} as const;
export type ColumnId = keyof typeof COLUMN_NAMES;

/** Columns whose text is cut where there is no room for it. */
export const LONG_COLUMNS: readonly ColumnId[] = ['name', 'email', 'level', 'id'];
/** Columns that stand at the end of their cell. */
export const TIME_COLUMNS: readonly ColumnId[] = ['verified', 'created', 'login', 'updated'];

/** At least one of them is shown: without them, a row does not identify a user. */
export const IDENTIFYING: readonly ColumnId[] = ['id', 'name', 'email'];
const DEFAULT_COLUMNS: readonly ColumnId[] = ['name', 'email', 'state', 'level', 'created', 'login'];

/** Columns without room on windows of medium width. All that a person has chosen are shown. */
export function listWideColumns(columns: readonly ColumnId[]): readonly ColumnId[] {
  return isDefault(columns) ? ['level', 'login'] : [];
}

function isDefault(columns: readonly ColumnId[]): boolean {
  return columns.join() === DEFAULT_COLUMNS.join();
}

/** Columns by which the list is sorted, each with its member. */
export const SORTED_BY = {
  name: 'name',
  email: 'email',
  created: 'created_at',
  login: 'last_login_at',
} as const satisfies Partial<Record<ColumnId, string>>;
export type SortedColumn = keyof typeof SORTED_BY;
const SORTS = Object.values(SORTED_BY).flatMap((member) => [member, `-${member}`]);
export const DEFAULT_SORT = '-created_at';

export const VERIFIED = { true: 'Verified', false: 'Not verified' } as const;

/** What users have to match; null and the empty string for everything. Names are those of the parameters. */
export interface UserFilter {
  readonly search: string;
  readonly state: UserState | null;
  readonly level: string | null;
  readonly verified: string | null;
  /** Days or times: `from` is included, `to` is not. */
  readonly created_from: string | null;
  readonly created_to: string | null;
  readonly last_login_from: string | null;
  readonly last_login_to: string | null;
  /** Member, colon and text. */
  readonly metadata: string | null;
}

export const NO_FILTER: UserFilter = {
  search: '',
  state: null,
  level: null,
  verified: null,
  created_from: null,
  created_to: null,
  last_login_from: null,
  last_login_to: null,
  metadata: null,
};

export interface ListView extends UserFilter {
  readonly sort: string;
  /** Cursor of the page; null for the first. */
  readonly cursor: string | null;
  readonly columns: readonly ColumnId[];
}

/** Unknown values are those of another release, or typed: they count as absent. */
export function readView(query: URLSearchParams): ListView {
  const state = query.get('state') ?? '';
  const verified = query.get('verified') ?? '';
  // `order` is the earlier name of `sort`.
  const sort = query.get('sort') ?? query.get('order') ?? '';
  return {
    search: query.get('search') ?? '',
    state: isMember(STATES, state) ? state : null,
    level: query.get('level') || null,
    verified: isMember(VERIFIED, verified) ? verified : null,
    created_from: readTime(query.get('created_from')),
    created_to: readTime(query.get('created_to')),
    last_login_from: readTime(query.get('last_login_from')),
    last_login_to: readTime(query.get('last_login_to')),
    metadata: query.get('metadata') || null,
    sort: SORTS.includes(sort) ? sort : DEFAULT_SORT,
    cursor: query.get('cursor'),
    columns: readColumns(query.get('columns')),
  };
}

/** Divides a condition of metadata at its first colon. */
export function splitCondition(condition: string): { readonly member: string; readonly text: string } {
  const [member = '', ...rest] = condition.split(':');
  return { member, text: rest.join(':') };
}

function readTime(text: string | null): string | null {
  return Number.isNaN(Date.parse(text ?? '')) ? null : text;
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

export function linkTo({ sort, columns, ...view }: ListView): string {
  return withQuery(USERS, {
    ...view,
    sort: sort === DEFAULT_SORT ? null : sort,
    columns: isDefault(columns) ? null : columns.join(),
  });
}

/** Returns the view of these users in the usual order. */
export function linkToUsers(filter: Partial<UserFilter>): string {
  return withQuery(USERS, { ...filter });
}

const PAGE_SIZE = '50';

export function apiPath({ columns, ...parameters }: ListView, limit = PAGE_SIZE): string {
  return withQuery('/api/v1/users', { limit, ...parameters });
}

export function exportPath({ sort, columns, cursor, ...filter }: ListView): string {
  return withQuery('/api/v1/admin/users/export', { ...filter });
}

export function isFiltered(view: ListView): boolean {
  return Object.keys(NO_FILTER).some((name) => Boolean(view[name as keyof UserFilter]));
}

/** The pages before this one, oldest first. */
export interface Trail {
  /** Their cursors; the empty string for the first page. */
  readonly trail: readonly string[];
  /** Their numbers of users. */
  readonly counts: readonly number[];
}

/** Browsers limit the size of the state of an entry of the history. */
const MAX_TRAIL = 100;

export function getTrail(state: unknown): Trail {
  const { trail, counts } = (state ?? {}) as Partial<Trail>;
  return { trail: Array.isArray(trail) ? trail : [], counts: Array.isArray(counts) ? counts : [] };
}

/** Adds the page that has this cursor and number of users. */
export function appendToTrail({ trail, counts }: Trail, cursor: string | null, count: number): Trail {
  return {
    trail: [...trail, cursor ?? ''].slice(-MAX_TRAIL),
    counts: [...counts, count].slice(-MAX_TRAIL),
  };
}

/** Returns the number of users on the pages before the one with this cursor; null if it is not known. */
export function countBefore(cursor: string | null, { trail, counts }: Trail): number | null {
  if (cursor === null) return 0;
  const isWhole = trail[0] === '' && counts.length === trail.length;
  return isWhole ? counts.reduce((sum, count) => sum + count, 0) : null;
}

/** The list that was shown last, to which the view of a user leads back. */
export const lastList = { to: USERS, state: null as unknown };

/** The columns that the list of users can have, and the order by them. */
import type { User } from '../../common/api-types.ts';
import { historyState, Link, navigate, query, withQuery } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { ColumnChoice } from '../records/controls.tsx';
import type { Filter } from '../records/filters.tsx';
import type { Column } from '../records/record-table.tsx';
import { StateBadge, users } from './record.tsx';

interface UserColumn extends Column<User> {
  /** The member by which the list is sorted. */
  readonly sort?: string;
}

const renderText = (member: 'name' | 'level') => (user: User) =>
  user[member] ? <bdi>{user[member]}</bdi> : null;
const renderTime =
  (member: 'email_verified_at' | 'created_at' | 'last_login_at' | 'updated_at') => (user: User) =>
    user[member] && <ShortTime at={user[member]} />;

const COLUMNS = {
  name: {
    title: 'Name',
    class: 'grow',
    sort: 'name',
    getHint: ({ name }) => name,
    render: renderText('name'),
  },
  email: {
    title: 'Email',
    class: 'grow',
    sort: 'email',
    isNamed: false,
    getHint: ({ email }) => email,
    render: ({ email }) => email && <bdi>{email}</bdi>,
  },
  state: { title: 'State', class: 'state-cell', render: ({ state }) => <StateBadge state={state} /> },
  level: { title: 'Level', class: 'short', getHint: ({ level }) => level, render: renderText('level') },
  groups: {
    title: 'Groups',
    class: 'grow',
    getHint: ({ groups }) => groups.join(', '),
    render: ({ groups }) => (groups.length > 0 ? <bdi>{groups.join(', ')}</bdi> : null),
  },
  verified: { title: 'Verified', class: 'num', render: renderTime('email_verified_at') },
  created: { title: 'Created', class: 'num', sort: 'created_at', render: renderTime('created_at') },
  login: { title: 'Last sign-in', class: 'num', sort: 'last_login_at', render: renderTime('last_login_at') },
  updated: { title: 'Updated', class: 'num', render: renderTime('updated_at') },
  id: {
    title: 'Id',
    class: 'grow',
    getHint: ({ id }) => id,
    render: ({ id }) => <code>{id}</code>,
  },
} as const satisfies Readonly<Record<string, UserColumn>>;

type ColumnId = keyof typeof COLUMNS;

const COLUMN_IDS = Object.keys(COLUMNS) as readonly ColumnId[];

function getColumn(id: ColumnId): UserColumn {
  return COLUMNS[id];
}

/** At least one of them is shown: without them, a row does not identify a user. */
const IDENTIFYING = ['id', 'name', 'email'] as const satisfies readonly ColumnId[];

/** Whether times are in the column, which begin with the latest. */
function isTimeColumn(id: ColumnId): boolean {
  return getColumn(id).class === 'num';
}

const DEFAULT_COLUMNS: readonly ColumnId[] = ['name', 'email', 'state', 'level', 'created', 'login'];

/** Columns without room on windows of medium width. All that a person has chosen are shown. */
function listWideColumns(columns: readonly ColumnId[]): readonly ColumnId[] {
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
  return withQuery(users.page, filter);
}

const PAGE_SIZE = '50';

export function apiPath({ filter, sort, cursor }: ListView, limit = PAGE_SIZE): string {
  return withQuery('/api/v1/users', { limit, ...filter, sort, cursor });
}

export function exportPath({ filter }: ListView, parameters: Readonly<Record<string, string>>): string {
  return withQuery('/api/v1/admin/users/export', { ...filter, ...parameters });
}

/** Returns the columns of the view, with links that sort. */
export function listColumns(view: ListView): readonly Column<User>[] {
  const wide = listWideColumns(view.columns);
  const identifying = IDENTIFYING.filter((id) => view.columns.includes(id)).sort(
    (one, other) => view.columns.indexOf(one) - view.columns.indexOf(other),
  );
  return view.columns.map((id) => {
    const { class: classes = '', ...column } = getColumn(id);
    return {
      ...column,
      class: wide.includes(id) ? `${classes} wide` : classes,
      isMain: (user) => id === (identifying.find((each) => user[each]) ?? identifying[0]),
      header: column.sort === undefined ? column.title : <SortLink view={view} column={id} />,
      sorted: getSort(id, view),
    };
  });
}

function getSort(id: ColumnId, { sort }: ListView) {
  if (sort.replace('-', '') !== getColumn(id).sort) return undefined;
  return sort.startsWith('-') ? 'descending' : 'ascending';
}

/** Sorts by the column; once more, the other way round. Times begin with the latest. */
function SortLink({ view, column }: { readonly view: ListView; readonly column: ColumnId }) {
  const { sort: member, title } = getColumn(column);
  const present = getSort(column, view);
  const isDescending = present === undefined ? isTimeColumn(column) : present === 'ascending';
  return (
    <Link class="sort" to={linkTo({ ...view, cursor: null, sort: isDescending ? `-${member}` : member! })}>
      {title}
    </Link>
  );
}

export function UserColumnChoice({ view }: { readonly view: ListView }) {
  const { columns } = view;
  const choose = (shown: readonly string[]) =>
    navigate(linkTo({ ...view, columns: shown as readonly ColumnId[] }), {
      ...{ replace: true, state: historyState.value },
    });
  const [identifying, ...others] = IDENTIFYING.filter((each) => columns.includes(each));
  const options = COLUMN_IDS.map((id) => ({
    ...{ id, title: getColumn(id).title, isShown: columns.includes(id) },
    isFixed: id === identifying && others.length === 0,
  }));
  return <ColumnChoice columns={options} onChoose={choose} />;
}

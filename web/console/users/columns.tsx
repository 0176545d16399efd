/** The columns that the list of users can have. */
import type { User } from '../../common/api-types.ts';
import { ShortTime } from '../../common/time.tsx';
import type { Column } from '../records/record-table.tsx';
import { StateBadge } from './record.tsx';

interface UserColumn extends Column<User> {
  /** The member by which the list is sorted. */
  readonly sort?: string;
}

const renderText = (member: 'name' | 'email' | 'level') => (user: User) =>
  user[member] ? <bdi>{user[member]}</bdi> : null;
const renderTime =
  (member: 'email_verified_at' | 'created_at' | 'last_login_at' | 'updated_at') => (user: User) =>
    user[member] && <ShortTime at={user[member]} />;

export const COLUMNS = {
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
    render: renderText('email'),
  },
  state: { title: 'State', class: 'state-cell', render: ({ state }) => <StateBadge state={state} /> },
  level: { title: 'Level', class: 'short', getHint: ({ level }) => level, render: renderText('level') },
  verified: { title: 'Verified', class: 'num', render: renderTime('email_verified_at') },
  created: { title: 'Created', class: 'num', sort: 'created_at', render: renderTime('created_at') },
  login: { title: 'Last login', class: 'num', sort: 'last_login_at', render: renderTime('last_login_at') },
  updated: { title: 'Updated', class: 'num', render: renderTime('updated_at') },
  id: { title: 'Id', class: 'grow', getHint: ({ id }) => id, render: ({ id }) => <code>{id}</code> },
} as const satisfies Readonly<Record<string, UserColumn>>;

export type ColumnId = keyof typeof COLUMNS;

export const COLUMN_IDS = Object.keys(COLUMNS) as readonly ColumnId[];

export function getColumn(id: ColumnId): UserColumn {
  return COLUMNS[id];
}

/** At least one of them is shown: without them, a row does not identify a user. */
export const IDENTIFYING = ['id', 'name', 'email'] as const satisfies readonly ColumnId[];

/** Whether times are in the column, which begin with the latest. */
export function isTimeColumn(id: ColumnId): boolean {
  return getColumn(id).class === 'num';
}

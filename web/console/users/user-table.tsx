/** The users of one page. */
import type { User } from '../../common/api-types.ts';
import { Link } from '../../common/router.tsx';
import { SelectAll, toggleSelected } from '../list/selection.tsx';
import { listBulkActions } from './bulk/selected-users.tsx';
import type { Selection } from './bulk/use-selection.ts';
import {
  COLUMN_NAMES,
  type ColumnId,
  type ListView,
  linkTo,
  listWideColumns,
  SORTED_BY,
  type SortedColumn,
  TIME_COLUMNS,
} from './list-view.ts';
import { UserRow } from './user-row.tsx';

interface UserTableProps {
  readonly view: ListView;
  readonly users: readonly User[];
  readonly selected: Selection;
  readonly onSelect: (selection: Selection) => void;
}

export function UserTable({ view, users, selected, onSelect }: UserTableProps) {
  const toggle = (user: User) => onSelect(toggleSelected(selected, user));
  const wide = listWideColumns(view.columns);
  const isSelectable = listBulkActions().length > 0;
  return (
    <table class="users records cards" aria-label="Users">
      <thead>
        <tr>
          {isSelectable && (
            <SelectAll
              label="Select all on this page"
              records={users}
              selected={selected}
              onSelect={onSelect}
            />
          )}
          {view.columns.map((column) => (
            <th key={column} scope="col" class={getClass(column, wide)} aria-sort={getSort(column, view)}>
              {isSorted(column) ? <SortLink view={view} column={column} /> : COLUMN_NAMES[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            columns={view.columns}
            isSelected={selected.has(user.id)}
            onToggle={isSelectable ? toggle : undefined}
          />
        ))}
      </tbody>
    </table>
  );
}

function getClass(column: ColumnId, wide: readonly ColumnId[]): string {
  return [wide.includes(column) && 'wide', TIME_COLUMNS.includes(column) && 'num'].filter(Boolean).join(' ');
}

function isSorted(column: ColumnId): column is SortedColumn {
  return Object.hasOwn(SORTED_BY, column);
}

function getSort(column: ColumnId, { sort }: ListView) {
  if (!isSorted(column) || sort.replace('-', '') !== SORTED_BY[column]) return undefined;
  return sort.startsWith('-') ? 'descending' : 'ascending';
}

/** Sorts by the column; once more, the other way round. Times begin with the latest. */
function SortLink({ view, column }: { readonly view: ListView; readonly column: SortedColumn }) {
  const member = SORTED_BY[column];
  const present = getSort(column, view);
  const isDescending = present === undefined ? TIME_COLUMNS.includes(column) : present === 'ascending';
  return (
    <Link class="sort" to={linkTo({ ...view, cursor: null, sort: isDescending ? `-${member}` : member })}>
      {COLUMN_NAMES[column]}
    </Link>
  );
}

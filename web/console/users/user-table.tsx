/** The users of one page. */
import type { User } from '../../common/api-types.ts';

import { COLUMN_NAMES, type ColumnId, type ListView, listWideColumns, TIME_COLUMNS } from './list-view.ts';
import { UserRow } from './user-row.tsx';

interface UserTableProps {
  readonly view: ListView;
  readonly users: readonly User[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

export function UserTable({ view, users, selected, onSelect }: UserTableProps) {
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  const wide = listWideColumns(view.columns);
  return (
    <table class="users records cards" aria-label="Users">
      <thead>
        <tr>
          <th class="check">
            <SelectAll users={users} selected={selected} onSelect={onSelect} />
          </th>
          {view.columns.map((column) => (
            <th key={column} scope="col" class={getClass(column, wide)} aria-sort={getSort(column, view)}>
              {COLUMN_NAMES[column]}
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
            onToggle={toggle}
          />
        ))}
      </tbody>
    </table>
  );
}

function getClass(column: ColumnId, wide: readonly ColumnId[]): string {
  return [wide.includes(column) && 'wide', TIME_COLUMNS.includes(column) && 'num'].filter(Boolean).join(' ');
}

/** A search has an order of its own. */
function getSort(column: ColumnId, { search, order }: ListView) {
  if (column !== 'created' || search !== '') return undefined;
  return order === 'created_at' ? 'ascending' : 'descending';
}

type SelectAllProps = Omit<UserTableProps, 'view'>;

function SelectAll({ users, selected, onSelect }: SelectAllProps) {
  const count = users.filter(({ id }) => selected.has(id)).length;
  const areAll = count === users.length;
  return (
    <input
      type="checkbox"
      aria-label="Select all on this page"
      checked={areAll}
      indeterminate={count > 0 && !areAll}
      onChange={() => onSelect(new Set(areAll ? [] : users.map(({ id }) => id)))}
    />
  );
}

/** The users of one page. */
import type { ComponentChildren } from 'preact';
import { ScrollArea } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import { StateBadge, toLabel, type User } from '../user-record.tsx';
import { COLUMN_NAMES, type ColumnId, IDENTIFYING } from './list-view.ts';

interface UserTableProps {
  readonly users: readonly User[];
  readonly columns: readonly ColumnId[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

export function UserTable({ users, columns, selected, onSelect }: UserTableProps) {
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <ScrollArea label="Users">
      <table class="users">
        <thead>
          <tr>
            <th class="check">
              <SelectAll users={users} selected={selected} onSelect={onSelect} />
            </th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {COLUMN_NAMES[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <Row
              key={user.id}
              user={user}
              columns={columns}
              isSelected={selected.has(user.id)}
              onToggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

type SelectAllProps = Omit<UserTableProps, 'columns'>;

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

interface RowProps {
  readonly user: User;
  readonly columns: readonly ColumnId[];
  readonly isSelected: boolean;
  readonly onToggle: (id: string) => void;
}

function Row({ user, columns, isSelected, onToggle }: RowProps) {
  const linked = columns.find((column) => IDENTIFYING.includes(column));
  return (
    <tr class={isSelected ? 'selected' : undefined}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select ${toLabel(user)}`}
          checked={isSelected}
          onChange={() => onToggle(user.id)}
        />
      </td>
      {columns.map((column) => (
        <td key={column} class={`cell-${column}`}>
          {column === linked ? (
            <Link to={`/console/users/${user.id}`}>{renderCell(user, column) ?? '(none)'}</Link>
          ) : (
            (renderCell(user, column) ?? '–')
          )}
        </td>
      ))}
    </tr>
  );
}

function renderCell(user: User, column: ColumnId): ComponentChildren | null {
  switch (column) {
    case 'state':
      return <StateBadge state={user.state} />;
    case 'verified':
      return user.email_verified_at && <Time at={user.email_verified_at} />;
    case 'created':
      return <Time at={user.created_at} />;
    case 'updated':
      return <Time at={user.updated_at} />;
    default:
      return user[column] || null;
  }
}

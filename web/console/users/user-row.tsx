/** One user in the list. The whole row opens the user. */
import type { ComponentChildren } from 'preact';
import { basePath } from '../../common/api.ts';
import type { User } from '../../common/api-types.ts';
import { Link, navigate } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { isRowClick } from '../list/row-click.ts';
import { SelectCell } from '../list/selection.tsx';
import { StateBadge, toLabel } from '../user-record.tsx';
import {
  COLUMN_NAMES,
  type ColumnId,
  IDENTIFYING,
  LONG_COLUMNS,
  listWideColumns,
  TIME_COLUMNS,
} from './list-view.ts';

interface UserRowProps {
  readonly user: User;
  readonly columns: readonly ColumnId[];
  readonly isSelected: boolean;
  /** Undefined: the row cannot be selected. */
  readonly onToggle: ((user: User) => void) | undefined;
}

export function UserRow({ user, columns, isSelected, onToggle }: UserRowProps) {
  const present = columns.filter((column) => IDENTIFYING.includes(column));
  const linked = present.find((column) => user[column as 'id' | 'name' | 'email']) ?? present[0];
  const wide = listWideColumns(columns);
  const to = `/console/users/${user.id}`;
  const press = (event: KeyboardEvent) => {
    if (event.key === 'x' && !event.ctrlKey && !event.metaKey) onToggle?.(user);
  };
  return (
    <tr
      class={`clickable ${isSelected ? 'selected' : ''}`}
      onClick={(event) => open(event, to)}
      onKeyDown={press}
    >
      {onToggle && (
        <SelectCell
          label={`Select ${toLabel(user)}`}
          isSelected={isSelected}
          onToggle={() => onToggle(user)}
        />
      )}
      {columns.map((column) => (
        <Cell
          key={column}
          user={user}
          column={column}
          to={column === linked ? to : null}
          isWide={wide.includes(column)}
        />
      ))}
    </tr>
  );
}

function open(event: MouseEvent, to: string): void {
  if (!isRowClick(event)) return;
  if (event.ctrlKey || event.metaKey) window.open(basePath + to);
  else navigate(to);
}

interface CellProps {
  readonly user: User;
  readonly column: ColumnId;
  /** The view of the user, in the cell that has the link to it. */
  readonly to: string | null;
  readonly isWide: boolean;
}

function Cell(props: CellProps) {
  const { user, column, to } = props;
  const content = renderContent(user, column);
  const isLong = LONG_COLUMNS.includes(column);
  return (
    <td
      class={getClasses(props)}
      title={isLong ? (user[column as 'name'] ?? undefined) : undefined}
      data-label={to === null && column !== 'state' && column !== 'email' ? COLUMN_NAMES[column] : undefined}
    >
      {to === null ? (content ?? <span class="none">–</span>) : <Link to={to}>{content ?? '(none)'}</Link>}
    </td>
  );
}

function getClasses({ column, to, isWide }: CellProps): string {
  const classes = [
    to !== null && 'main-cell',
    column === 'state' && 'state-cell',
    TIME_COLUMNS.includes(column) && 'num',
    LONG_COLUMNS.includes(column) && (column === 'level' ? 'short' : 'grow'),
    isWide && 'wide',
  ];
  return classes.filter(Boolean).join(' ');
}

function renderContent(user: User, column: ColumnId): ComponentChildren | null {
  switch (column) {
    case 'state':
      return <StateBadge state={user.state} />;
    case 'verified':
      return user.email_verified_at && <ShortTime at={user.email_verified_at} />;
    case 'created':
      return <ShortTime at={user.created_at} />;
    case 'login':
      return user.last_login_at && <ShortTime at={user.last_login_at} />;
    case 'updated':
      return <ShortTime at={user.updated_at} />;
    case 'id':
      return <code>{user.id}</code>;
    default:
      return user[column] ? <bdi>{user[column]}</bdi> : null;
  }
}

/** Actions on the selected users. */
import { useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import type { BulkActionId } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';

interface SelectedUsersProps {
  readonly users: readonly User[];
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  /** Called after users may have been changed. */
  readonly onDone: () => void;
}

const LABELS: Readonly<Record<BulkActionId, string>> = {
  disable: 'Disable',
  enable: 'Enable',
  revoke: 'Revoke tokens',
  erase: 'Delete',
};

/**
 * The buttons are shown also while no user is selected, so that the list does not move, and the focus stays on the one
 * that was pressed.
 */
export function SelectedUsers({ users, onSelect, onDone }: SelectedUsersProps) {
  const isEmpty = users.length === 0;
  const [started, setStarted] = useState<{ id: BulkActionId; users: readonly User[] } | null>(null);
  const close = (left: readonly User[] | null) => {
    setStarted(null);
    if (left === null) return;
    onSelect(new Set(left.map(({ id }) => id)));
    onDone();
  };
  return (
    <div class="selection">
      <p id="selection-count">{isEmpty ? 'None selected' : `${users.length} selected:`}</p>
      {(Object.keys(LABELS) as BulkActionId[]).map((id) => (
        <button
          key={id}
          type="button"
          class={id === 'erase' ? 'danger' : 'secondary outline'}
          aria-describedby="selection-count"
          aria-disabled={isEmpty}
          onClick={isEmpty ? undefined : () => setStarted({ id, users })}
        >
          {LABELS[id]}
        </button>
      ))}
      {started && <BulkDialog action={started.id} users={started.users} onClose={close} />}
    </div>
  );
}

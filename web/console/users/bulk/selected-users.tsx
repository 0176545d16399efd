/** Actions on the selected users, in a bar that floats above the list. */
import { useEffect, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { type Selected, SelectionBar, toSelected } from '../../list/selection.tsx';
import { may } from '../../permissions.ts';
import type { ListView } from '../list-view.ts';
import { AllMatching, useMatchingUsers } from './all-matching.tsx';
import type { BulkActionId } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';

interface SelectedUsersProps {
  readonly view: ListView;
  readonly users: readonly User[];
  /** Number of users that match; null if it is not known. */
  readonly matching: number | null;
  /** Whether all users of the page are selected, and there are other pages. */
  readonly offersAll: boolean;
  readonly onSelect: (selected: Selected<User>) => void;
  /** Called after users may have been changed. */
  readonly onDone: () => void;
}

/** Returns the labels of the actions that the credential permits. */
export function listBulkActions(): Readonly<Partial<Record<BulkActionId, string>>> {
  return {
    ...(may('users:write') && { disable: 'Disable…', enable: 'Enable…' }),
    ...(may('tokens:write') && { revoke: 'Revoke tokens…' }),
    ...(may('users:write') && { erase: 'Erase…' }),
  };
}

interface Started {
  readonly id: BulkActionId;
  readonly users: readonly User[];
}

export function SelectedUsers({ view, users, matching, offersAll, onSelect, onDone }: SelectedUsersProps) {
  const isEmpty = users.length === 0;
  const [started, setStarted] = useState<Started | null>(null);
  const isKept = useKeptBar(isEmpty);
  const all = useMatchingUsers(view, isEmpty, (matched) => onSelect(toSelected(matched)));
  const clear = () => {
    all.stop();
    onSelect(new Map());
  };
  const close = (left: readonly User[] | null) => {
    setStarted(null);
    if (left === null) return;
    onSelect(toSelected(left));
    onDone();
  };
  if (isEmpty && !isKept && started === null) return null;
  return (
    <SelectionBar
      count={users.length}
      actions={listBulkActions()}
      onStart={(id) => setStarted({ id: id as BulkActionId, users })}
      onClear={clear}
    >
      {offersAll && <AllMatching all={all} selected={users.length} matching={matching} />}
      {started && <BulkDialog action={started.id} users={started.users} onClose={close} />}
    </SelectionBar>
  );
}

/**
 * Whether the bar is still shown without a selection: after an action, the focus returns to the button that was
 * pressed, or to the message about it, and the bar goes when the person turns to something else.
 */
function useKeptBar(isEmpty: boolean): boolean {
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (!isEmpty) setKept(true);
  }, [isEmpty]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (isEmpty && (target as Element).closest('.bulk, .toasts, dialog') === null) setKept(false);
    };
    addEventListener('focusin', leave);
    addEventListener('pointerdown', leave);
    return () => {
      removeEventListener('focusin', leave);
      removeEventListener('pointerdown', leave);
    };
  }, [isEmpty]);
  return isKept;
}

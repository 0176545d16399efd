/** Actions on the selected users, in a bar that floats above the list. */
import { useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { type Selected, SelectionBar, toSelected } from '../../records/selection.tsx';
import { may } from '../../permissions.ts';
import type { ListView } from '../list-view.ts';
import { AllMatching, useMatchingUsers } from './all-matching.tsx';
import type { BulkActionId } from './actions.ts';
import { BulkDialog } from './dialog.tsx';

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
  return (
    <>
      {!isEmpty && (
        <SelectionBar
          count={users.length}
          actions={listBulkActions()}
          onStart={(id) => setStarted({ id: id as BulkActionId, users })}
          onClear={clear}
        >
          {offersAll && <AllMatching all={all} selected={users.length} matching={matching} />}
        </SelectionBar>
      )}
      {started && <BulkDialog action={started.id} users={started.users} onClose={close} />}
    </>
  );
}

/** Actions on the selected users, in a bar that floats above the list. */
import { useEffect, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { formatCount } from '../../../common/components.tsx';
import { useKeys } from '../../keyboard/use-keys.ts';
import { ClearSelection } from '../../list/selection.tsx';
import { may } from '../../permissions.ts';
import type { ListView } from '../list-view.ts';
import { AllMatching, useMatchingUsers } from './all-matching.tsx';
import type { BulkActionId } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { type Selection, toSelection } from './use-selection.ts';

interface SelectedUsersProps {
  readonly view: ListView;
  readonly users: readonly User[];
  /** Number of users that match; null if it is not known. */
  readonly matching: number | null;
  /** Whether all users of the page are selected, and there are other pages. */
  readonly offersAll: boolean;
  readonly onSelect: (selection: Selection) => void;
  /** Called after users may have been changed. */
  readonly onDone: () => void;
}

const LABELS: Readonly<Record<BulkActionId, string>> = {
  disable: 'Disable…',
  enable: 'Enable…',
  revoke: 'Revoke tokens…',
  erase: 'Erase…',
};

/** Returns the actions that the credential permits. */
export function listBulkActions(): BulkActionId[] {
  const ids = Object.keys(LABELS) as BulkActionId[];
  return ids.filter((id) => may(id === 'revoke' ? 'tokens:write' : 'users:write'));
}

interface Started {
  readonly id: BulkActionId;
  readonly users: readonly User[];
}

export function SelectedUsers({ view, users, matching, offersAll, onSelect, onDone }: SelectedUsersProps) {
  const isEmpty = users.length === 0;
  const [started, setStarted] = useState<Started | null>(null);
  const isKept = useKeptBar(isEmpty);
  const all = useMatchingUsers(view, isEmpty, (matched) => onSelect(toSelection(matched)));
  const clear = () => {
    all.stop();
    onSelect(new Map());
  };
  useKeys({ Escape: () => (isEmpty ? false : void clear()) });
  const close = (left: readonly User[] | null) => {
    setStarted(null);
    if (left === null) return;
    onSelect(toSelection(left));
    onDone();
  };
  if (isEmpty && !isKept && started === null) return null;
  return (
    <div class="bulk">
      {offersAll && <AllMatching all={all} selected={users.length} matching={matching} />}
      <Bar users={users} onClear={clear} onStart={(id) => setStarted({ id, users })} />
      {started && <BulkDialog action={started.id} users={started.users} onClose={close} />}
    </div>
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

interface BarProps {
  readonly users: readonly User[];
  readonly onClear: () => void;
  readonly onStart: (id: BulkActionId) => void;
}

function Bar({ users, onClear, onStart }: BarProps) {
  const isEmpty = users.length === 0;
  return (
    <>
      <p id="selection-count">{isEmpty ? 'None selected' : `${formatCount(users.length)} selected:`}</p>
      {listBulkActions().map((id) => (
        <button
          key={id}
          type="button"
          class={`compact ${id === 'erase' ? 'danger' : ''}`}
          aria-describedby="selection-count"
          aria-disabled={isEmpty}
          onClick={isEmpty ? undefined : () => onStart(id)}
        >
          {LABELS[id]}
        </button>
      ))}
      <ClearSelection onClear={onClear} />
    </>
  );
}

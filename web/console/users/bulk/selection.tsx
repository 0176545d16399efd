/** Actions on the selected users, in a bar that floats above the list. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { Button } from '../../../common/components.tsx';
import { useAction } from '../../../common/use-action.ts';
import { useKeptFocus } from '../../../common/use-kept-focus.ts';
import { AddToGroup } from '../../groups/dialogs.tsx';
import { type Selected, SelectionBar, toSelected } from '../../records/selection.tsx';
import { may } from '../../session.ts';
import { apiPath, type ListView } from '../columns.tsx';
import { type BulkActionId, usersText } from './actions.ts';
import { BulkDialog } from './dialog.tsx';
import { readMatchingUsers } from './run.ts';

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
export function listBulkActions(): Readonly<Partial<Record<StartedId, string>>> {
  return {
    ...(may('users:write') && { disable: 'Disable…', enable: 'Enable…' }),
    ...(may('tokens:write') && { revoke: 'Revoke tokens…' }),
    ...(may('groups:write') && { group: 'Add to a group…' }),
    ...(may('users:write') && { erase: 'Erase…' }),
  };
}

/** Adding to a group is no operation of a batch of users. */
type StartedId = BulkActionId | 'group';

interface Started {
  readonly id: StartedId;
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
          onStart={(id) => setStarted({ id: id as StartedId, users })}
          onClear={clear}
        >
          {offersAll && <AllMatching all={all} selected={users.length} matching={matching} />}
        </SelectionBar>
      )}
      {started?.id === 'group' && (
        <AddToGroup users={started.users} onChange={() => close([])} onClose={() => close(null)} />
      )}
      {started && started.id !== 'group' && (
        <BulkDialog action={started.id} users={started.users} onClose={close} />
      )}
    </>
  );
}

/** Reads them on request. `onRead` is not called after a stop, nor for an earlier list. */
function useMatchingUsers(view: ListView, isEmpty: boolean, onRead: (users: readonly User[]) => void) {
  const action = useAction();
  /** Number of users read so far. */
  const [count, setCount] = useState(0);
  /** The number of users that matched when they were read; null before. */
  const [found, setFound] = useState<number | null>(null);
  const abort = useRef(new AbortController());
  const list = apiPath({ ...view, cursor: null });
  // The number is that of one selection: later, other users may match.
  useEffect(() => setFound(null), [list, isEmpty]);
  useEffect(() => () => abort.current.abort(), [list]);
  const read = async () => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setCount(0);
    try {
      const users = await readMatchingUsers(view, { signal, onProgress: setCount });
      if (signal.aborted) return;
      setFound(users.length);
      onRead(users);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  return { action, count, found, start: () => void action.run(read), stop: () => abort.current.abort() };
}

interface AllMatchingProps {
  readonly all: ReturnType<typeof useMatchingUsers>;
  /** Number of selected users. */
  readonly selected: number;
  /** Number of users that match; null if it is not known. */
  readonly matching: number | null;
}

/** A line above the actions, which do not move when it appears. */
function AllMatching({ all, selected, matching }: AllMatchingProps) {
  const { action, count, found } = all;
  const areAll = found !== null && selected >= found;
  const line = useKeptFocus<HTMLDivElement>(areAll);
  const what = matching === null ? 'all users that match' : `all ${usersText(matching)} that match`;
  return (
    <div class="all-matching" tabIndex={-1} ref={line}>
      <span role="status">
        {action.isBusy && `${usersText(count)} read…`}
        {areAll && `All ${usersText(found)} that match are selected.`}
      </span>
      {!areAll && (
        <Button
          text={action.isBusy ? 'Stop reading' : `Select ${what}`}
          class="plain compact"
          onClick={action.isBusy ? all.stop : all.start}
        />
      )}
      {action.error && (
        <span class="error" role="alert">
          {action.error.message}
        </span>
      )}
    </div>
  );
}

const NONE: Selected<User> = new Map();

/** Empty in another list: after a change of the filter or the order. */
export function useSelection(view: ListView): [Selected<User>, (selected: Selected<User>) => void] {
  const list = apiPath({ ...view, cursor: null });
  const [{ of, selected }, setSelection] = useState({ of: list, selected: NONE });
  return [of === list ? selected : NONE, (chosen) => setSelection({ of: list, selected: chosen })];
}

/** Returns the selected users; those of the page as they are on it. */
export function listSelected(selected: Selected<User>, page: readonly User[]): User[] {
  const present = toSelected(page);
  return [...selected.values()].map((user) => present.get(user.id) ?? user);
}

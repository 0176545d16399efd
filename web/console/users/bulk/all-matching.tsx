/** Extends the selection of a page to all users of the list. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { type Action, useAction } from '../../../common/use-action.ts';
import { useKeptFocus } from '../../../common/use-kept-focus.ts';
import { apiPath, type ListView } from '../list-view.ts';
import { usersText } from './actions.ts';
import { readMatchingUsers } from './read-matching-users.ts';

export interface MatchingUsers {
  readonly action: Action;
  /** Number of users read so far. */
  readonly count: number;
  /** The number of users that matched when they were read; null before. */
  readonly found: number | null;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Reads them on request. `onRead` is not called after a stop, nor for an earlier list. */
export function useMatchingUsers(
  view: ListView,
  isEmpty: boolean,
  onRead: (users: readonly User[]) => void,
): MatchingUsers {
  const action = useAction();
  const [count, setCount] = useState(0);
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
  return {
    action,
    count,
    found,
    start: () => void action.run(read),
    stop: () => abort.current.abort(),
  };
}

interface AllMatchingProps {
  readonly all: MatchingUsers;
  /** Number of selected users. */
  readonly selected: number;
  /** Number of users that match; null if it is not known. */
  readonly matching: number | null;
}

/** A line above the actions, which do not move when it appears. */
export function AllMatching({ all, selected, matching }: AllMatchingProps) {
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
        <button type="button" class="plain compact" onClick={action.isBusy ? all.stop : all.start}>
          {action.isBusy ? 'Stop reading' : `Select ${what}`}
        </button>
      )}
      {action.error && (
        <span class="error" role="alert">
          {action.error.message}
        </span>
      )}
    </div>
  );
}

/** State of an action on many users. */
import { useRef, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { announce } from '../../status.tsx';
import { BULK_ACTIONS, type BulkAction } from './bulk-actions.ts';
import { hasChanged, outcomeText } from './outcome-text.ts';
import { type RunOutcome, runForUsers, type Succeeded } from './run-for-users.ts';

export interface BulkRun {
  readonly phase: 'confirm' | 'running' | 'failed';
  /** Number of processed users, of `total`. */
  readonly processed: number;
  readonly total: number;
  readonly outcome: RunOutcome;
  readonly start: (users: readonly User[]) => void;
  readonly stop: () => void;
  readonly close: () => void;
}

const NOTHING: RunOutcome = { succeeded: [], failed: [] };

/** `onClose` is called with the users whose action failed. */
export function useBulkRun(action: BulkAction, onClose: (failed: readonly User[]) => void): BulkRun {
  const [state, setState] = useState({ phase: 'confirm' as BulkRun['phase'], processed: 0, total: 0 });
  const outcome = useRef(NOTHING);
  const abort = useRef(new AbortController());
  const finish = ({ succeeded, failed }: RunOutcome) => {
    announceOutcome(action, { succeeded, failed, onUndone: () => onClose([]) });
    onClose(failed.map(({ user }) => user));
  };
  const start = async (users: readonly User[]) => {
    abort.current = new AbortController();
    const earlier = outcome.current.succeeded;
    setState({ phase: 'running', processed: 0, total: users.length });
    const { succeeded, failed } = await runForUsers(users, {
      run: action.run,
      signal: abort.current.signal,
      onProgress: (now) =>
        setState((last) => ({ ...last, processed: now.succeeded.length + now.failed.length })),
    });
    outcome.current = { succeeded: [...earlier, ...succeeded], failed };
    if (failed.length === 0) finish(outcome.current);
    else setState((last) => ({ ...last, phase: 'failed' }));
  };
  return {
    ...state,
    outcome: outcome.current,
    start: (users) => void start(users),
    stop: () => abort.current.abort(),
    close: () => finish(outcome.current),
  };
}

interface AnnouncedOutcome extends RunOutcome {
  readonly onUndone: () => void;
}

function announceOutcome(action: BulkAction, { succeeded, failed, onUndone }: AnnouncedOutcome): void {
  const { reverse } = action;
  const changed = succeeded.filter(hasChanged);
  const canUndo = reverse !== undefined && changed.length > 0;
  announce(`${outcomeText(action, { succeeded, failed })}.`, {
    undo: canUndo ? () => undo(action, BULK_ACTIONS[reverse], { changed, onUndone }) : undefined,
  });
}

interface UndoOptions {
  readonly changed: readonly Succeeded[];
  readonly onUndone: () => void;
}

/** Users who were in that state before stay in it. */
async function undo(
  action: BulkAction,
  reverse: BulkAction,
  { changed, onUndone }: UndoOptions,
): Promise<void> {
  const outcome = await runForUsers(
    changed.map(({ after }) => after!),
    { run: reverse.run, signal: new AbortController().signal, onProgress: () => {} },
  );
  const [firstFailure] = outcome.failed;
  const reason = firstFailure === undefined ? '.' : `: ${firstFailure.error.message}`;
  const lasting = action.irreversible === undefined ? '' : ` ${action.irreversible}`;
  announce(`Undone: ${outcomeText(reverse, outcome)}${reason}${lasting}`);
  onUndone();
}

/** State of an action on many users. */
import { useRef, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { announce } from '../../status.tsx';
import { BULK_ACTIONS, type BulkActionId } from './actions.ts';
import { hasChanged, outcomeText, type RunOutcome, runBatches } from './run.ts';

export interface BulkRun {
  readonly phase: 'confirm' | 'running' | 'failed';
  /** Number of processed users, of `total`. */
  readonly processed: number;
  readonly total: number;
  readonly outcome: RunOutcome;
  readonly start: (users: readonly User[]) => Promise<void>;
  readonly stop: () => void;
  readonly close: () => void;
}

/** `onClose` is called with the users whose action failed. */
export function useBulkRun(action: BulkActionId, onClose: (failed: readonly User[]) => void): BulkRun {
  const [state, setState] = useState({ phase: 'confirm' as BulkRun['phase'], processed: 0, total: 0 });
  const outcome = useRef<RunOutcome>({ succeeded: [], failed: [] });
  const abort = useRef(new AbortController());
  const close = () => {
    announceOutcome(action, outcome.current, () => onClose([]));
    onClose(outcome.current.failed.map(({ user }) => user));
  };
  const start = async (users: readonly User[]) => {
    abort.current = new AbortController();
    const earlier = outcome.current.succeeded;
    setState({ phase: 'running', processed: 0, total: users.length });
    const { succeeded, failed } = await runBatches(action, users, {
      signal: abort.current.signal,
      onProgress: (processed) => setState((last) => ({ ...last, processed })),
    });
    outcome.current = { succeeded: [...earlier, ...succeeded], failed };
    if (failed.length === 0) close();
    else setState((last) => ({ ...last, phase: 'failed' }));
  };
  return { ...state, outcome: outcome.current, start, stop: () => abort.current.abort(), close };
}

function announceOutcome(action: BulkActionId, outcome: RunOutcome, onUndone: () => void): void {
  const { reverse, irreversible } = BULK_ACTIONS[action];
  const changed = outcome.succeeded.filter(hasChanged);
  // Users who were in that state before stay in it.
  const undo = async (id: BulkActionId) => {
    const users = changed.map(({ user, version }) => ({ ...user, version: version! }));
    const undone = await runBatches(id, users);
    const [failure] = undone.failed;
    const reason = failure === undefined ? '.' : `: ${failure.error.message}`;
    announce(`Undone: ${outcomeText(id, undone)}${reason}${irreversible ? ` ${irreversible}` : ''}`);
    onUndone();
  };
  announce(`${outcomeText(action, outcome)}.`, {
    undo: reverse !== undefined && changed.length > 0 ? () => undo(reverse) : undefined,
  });
}

/** Confirms an action on many users, and shows its progress and its failures. */
import { useRef, useState } from 'preact/hooks';
import type { User } from '../../../common/api-types.ts';
import { Button, formatCount } from '../../../common/components.tsx';
import { ConfirmDialog } from '../../../common/confirm-dialog.tsx';
import { CloseButton, Dialog } from '../../../common/dialog.tsx';
import { ActionForm, Submit, useAction } from '../../../common/form.tsx';
import { Link } from '../../../common/router.tsx';
import { announce } from '../../status.tsx';
import { StateBadge, toLabel, toName } from '../record.tsx';
import { BULK_ACTIONS, type BulkAction, type BulkActionId, usersText } from './actions.ts';
import {
  hasChanged,
  isConflict,
  loadUsersForRetry,
  outcomeText,
  type RunOutcome,
  runBatches,
} from './run.ts';

interface BulkDialogProps {
  readonly action: BulkActionId;
  readonly users: readonly User[];
  /** Called with the users whose action failed; null when nothing was done. */
  readonly onClose: (failed: readonly User[] | null) => void;
}

export function BulkDialog({ action: id, users: selected, onClose }: BulkDialogProps) {
  const action = BULK_ACTIONS[id];
  const bulk = useBulkRun(id, onClose);
  const users = action.reverse ? selected.filter(({ state }) => state !== 'unclaimed') : selected;
  const leftOut = selected.length - users.length;
  if (users.length === 0) return <NobodyDialog action={action} onClose={() => onClose(null)} />;
  const what = `${action.verb} ${usersText(users.length)}`;
  if (bulk.phase === 'running') return <Progress what={what} bulk={bulk} />;
  if (bulk.phase === 'failed') return <FailedUsers action={id} bulk={bulk} />;
  const count = String(users.length);
  return (
    <ConfirmDialog
      title={`${what}?`}
      verb={what}
      failure="It could not be done"
      isDestructive={action.isDestructive}
      expected={id === 'erase' ? { label: `Type ${count} to confirm`, text: count } : undefined}
      onConfirm={async () => void bulk.start(users)}
      onClose={() => onClose(null)}
    >
      <p>{action.consequence}</p>
      {leftOut > 0 && (
        <p>
          {usersText(leftOut)} without a password {leftOut === 1 ? 'is' : 'are'} left out: unclaimed users
          cannot sign in anyway.
        </p>
      )}
      <UserNames users={users} />
    </ConfirmDialog>
  );
}

function NobodyDialog({ action: { verb }, onClose }: Readonly<{ action: BulkAction; onClose: () => void }>) {
  return (
    <Dialog title={`There is nobody to ${verb.toLowerCase()}`} onClose={onClose}>
      <p>The selected users are unclaimed: they have no password yet, and cannot sign in.</p>
      <CloseButton onClose={onClose} />
    </Dialog>
  );
}

/** More names would hardly be read. */
const MAX_NAMED = 50;

/** Names the first users before anything happens to them. */
function UserNames({ users }: { readonly users: readonly User[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
    <ul class="affected" aria-label="Users" tabIndex={0}>
      {users.slice(0, MAX_NAMED).map((user) => (
        <li key={user.id}>
          <span>
            <bdi>{toName(user)}</bdi> <span class="muted">{user.name && user.email}</span>
          </span>
          <StateBadge state={user.state} />
        </li>
      ))}
      {users.length > MAX_NAMED && (
        <li class="muted">and {usersText(users.length - MAX_NAMED).replace('user', 'more user')}</li>
      )}
    </ul>
  );
}

function Progress({ what, bulk }: { readonly what: string; readonly bulk: BulkRun }) {
  const { processed, total } = bulk;
  return (
    <Dialog title={what} onClose={bulk.stop}>
      <p>
        {formatCount(processed)} of {formatCount(total)}…
      </p>
      <progress aria-label={what} value={processed} max={total} />
      <CloseButton text="Stop" onClose={bulk.stop} />
    </Dialog>
  );
}

/** After a stop, thousands of users may not have been tried. */
const MAX_LISTED = 100;

function FailedUsers({ action, bulk }: Readonly<{ action: BulkActionId; bulk: BulkRun }>) {
  const retrying = useAction();
  const { failed } = bulk.outcome;
  const retry = async () => void bulk.start(await loadUsersForRetry(failed));
  return (
    <Dialog title={`${usersText(failed.length)} not ${BULK_ACTIONS[action].done}`} onClose={bulk.close}>
      <p role="status">{outcomeText(action, bulk.outcome)}.</p>
      <ul class="affected failures" aria-label="Failed users">
        {failed.slice(0, MAX_LISTED).map((each) => (
          <li key={each.user.id}>
            <Link to={`/console/users/${each.user.id}`}>
              <bdi>{toLabel(each.user)}</bdi>
            </Link>
            <span class="muted">
              {isConflict(each)
                ? 'Somebody else has changed this user since they were listed.'
                : each.error.message}
            </span>
          </li>
        ))}
        {failed.length > MAX_LISTED && (
          <li class="muted">and {formatCount(failed.length - MAX_LISTED)} more</li>
        )}
      </ul>
      {failed.some(isConflict) && (
        <p>Trying again uses the current version of each user, including changes by others.</p>
      )}
      <ActionForm action={retrying} onSubmit={retry} failure="It could not be tried again">
        <div class="buttons">
          <Button text="Close" onClick={bulk.close} />
          <Submit text="Retry failed users" action={retrying} />
        </div>
      </ActionForm>
    </Dialog>
  );
}

type BulkRun = ReturnType<typeof useBulkRun>;

/** `onClose` is called with the users whose action failed. */
function useBulkRun(action: BulkActionId, onClose: (failed: readonly User[]) => void) {
  type Phase = 'confirm' | 'running' | 'failed';
  const [state, setState] = useState({ phase: 'confirm' as Phase, processed: 0, total: 0 });
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

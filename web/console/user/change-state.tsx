/** Disables and enables a user. */
import type { User } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { useAction } from '../../common/use-action.ts';
import { announce } from '../status.tsx';
import { changeUser, toLabel } from '../users/record.tsx';
import { orReload, type UserDialog, type UserSection } from './user-section.ts';

/** Changes the state, and offers to undo the change. */
async function setState(user: User, state: 'active' | 'disabled', onChange: () => void): Promise<void> {
  const changed = await orReload(changeUser(user, { state }), onChange);
  const back = user.state === 'unclaimed' ? undefined : user.state;
  const lasting =
    state === 'disabled' ? 'All sessions have ended.' : 'Tokens that were revoked stay revoked.';
  announce(`${toLabel(changed)} was ${state === 'disabled' ? 'disabled' : 'enabled'}. ${lasting}`, {
    undo: back && (() => setState(changed, back, onChange)),
  });
  onChange();
}

export function DisableUser({ user, onChange, onClose }: UserDialog) {
  const disable = async () => {
    await setState(user, 'disabled', onChange);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Disable ${toLabel(user)}?`}
      verb="Disable user"
      failure="The user was not disabled"
      onConfirm={disable}
      onClose={onClose}
    >
      <p>
        The user is logged out everywhere at once, and links that were sent stop working. Enabling the user
        again does not bring them back.
      </p>
    </ConfirmDialog>
  );
}

export function EnableUser({ user, onChange }: UserSection) {
  const action = useAction();
  return (
    <>
      <button
        type="button"
        onClick={() => action.run(() => setState(user, 'active', onChange))}
        aria-busy={action.isBusy}
      >
        Enable
      </button>
      {action.error && <Failure what="The user was not enabled" error={action.error} />}
    </>
  );
}

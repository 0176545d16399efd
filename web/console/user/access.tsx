/** Access of a user: state, lock, password, links. */

import { useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Panel } from '../../common/panel.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { may } from '../permissions.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { changeUser, toLabel, userPath } from '../user-record.tsx';
import { Links } from './links.tsx';
import { SetPassword } from './set-password.tsx';
import { orReload, type UserSection } from './user-section.ts';

const EXPLANATIONS = {
  active: 'The user can log in.',
  disabled: 'The user cannot log in.',
  unclaimed: 'The user cannot log in, because no password has been set.',
} as const;

export function Access(section: UserSection) {
  const { user } = section;
  const heading = useKeptFocus<HTMLHeadingElement>(`${user.state} ${user.locked_until}`);
  return (
    <Panel title="Access" id="access" heading={heading}>
      <div class="body stack tight">
        <p class="small">{EXPLANATIONS[user.state]}</p>
        {user.locked_until && <Lock {...section} lockedUntil={user.locked_until} />}
        {may('users:write') && (
          <>
            {user.state === 'active' && <DisableUser {...section} />}
            {user.state === 'disabled' && <EnableUser {...section} />}
            <SetPassword {...section} />
          </>
        )}
        {may('links:send') && <Links {...section} />}
      </div>
    </Panel>
  );
}

function Lock({ user, onChange, lockedUntil }: UserSection & { readonly lockedUntil: string }) {
  const action = useAction();
  const unlock = async () => {
    await request(`${userPath(user.id)}/lock`, { method: 'DELETE' });
    announce(`${toLabel(user)} was unlocked.`);
    onChange();
  };
  return (
    <>
      <p class="small">
        Locked until <PreciseTime at={lockedUntil} />, because logins have failed.
      </p>
      {may('users:write') && (
        <button type="button" onClick={() => action.run(unlock)} aria-busy={action.isBusy}>
          Unlock
        </button>
      )}
      {action.error && <Failure what="The user was not unlocked" error={action.error} />}
    </>
  );
}

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

function DisableUser({ user, onChange }: UserSection) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const disable = async () => {
    await setState(user, 'disabled', onChange);
    close();
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Disable…
      </button>
      {isOpen && (
        <ConfirmDialog
          title={`Disable ${toLabel(user)}?`}
          verb="Disable user"
          failure="The user was not disabled"
          onConfirm={disable}
          onClose={close}
        >
          <p>
            The user is logged out everywhere at once, and links that were sent stop working. Enabling the
            user again does not bring them back.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function EnableUser({ user, onChange }: UserSection) {
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

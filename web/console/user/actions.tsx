/** The actions on a user: the usual ones as buttons, the rarer ones in a menu. */
import { useState } from 'preact/hooks';
import { Dropdown } from '../records/controls.tsx';
import { mayChange } from '../permissions.ts';
import { DisableUser } from './change-state.tsx';
import { EraseUser } from './erase.tsx';
import { LinkMenu } from './links.tsx';
import { MergeUsers } from './merge-users.tsx';
import { RevokeAll } from './revoke-tokens.tsx';
import { SetPassword } from './set-password.tsx';
import type { UserSection } from './user-section.ts';

const DIALOGS = {
  disable: DisableUser,
  password: SetPassword,
  revoke: RevokeAll,
  merge: MergeUsers,
  erase: EraseUser,
};

export function UserActions(section: UserSection) {
  const { user } = section;
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const isChangeable = mayChange(user, 'users:write');
  const OpenDialog = open && DIALOGS[open];
  const item = (dialog: keyof typeof DIALOGS, text: string, style = 'plain') => (
    <button type="button" class={style} onClick={() => setOpen(dialog)}>
      {text}
    </button>
  );
  return (
    <div class="row">
      <LinkMenu {...section} />
      {isChangeable && user.state === 'active' && item('disable', 'Disable…', '')}
      {(isChangeable || mayChange(user, 'tokens:write')) && (
        <Dropdown icon="dots" label="More">
          <div class="menu">
            {isChangeable && item('password', 'Set a password…')}
            {mayChange(user, 'tokens:write') && item('revoke', 'Revoke all devices…')}
            {isChangeable && item('merge', 'Merge…')}
            {isChangeable && item('erase', 'Erase user…', 'plain danger')}
          </div>
        </Dropdown>
      )}
      {OpenDialog && <OpenDialog {...section} onClose={() => setOpen(null)} />}
    </div>
  );
}

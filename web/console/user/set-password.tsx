/** Sets the password of the user. */
import { useState } from 'preact/hooks';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Field } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, userPath } from '../users/record.tsx';
import type { UserDialog } from './user-section.ts';

export function SetPassword(dialog: UserDialog) {
  return (
    <Dialog title={`Set the password of ${toLabel(dialog.user)}`} onClose={dialog.onClose}>
      <PasswordForm {...dialog} />
    </Dialog>
  );
}

function PasswordForm({ user, onChange, onClose }: UserDialog) {
  const [password, setPassword] = useState('');
  const action = useAction();
  const save = async () => {
    await request(`${userPath(user.id)}/password`, { method: 'PUT', body: { password } });
    announce(`The password of ${toLabel(user)} was set. All sessions have ended.`);
    onChange();
    onClose();
  };
  return (
    <ActionForm action={action} onSubmit={save} failure="The password was not set" fields={['password']}>
      <p>
        The user is logged out everywhere at once, links that were sent stop working, and the user gets a
        notice by email.{user.state === 'unclaimed' && ' The account becomes active.'}
        {user.state === 'disabled' && ' The account stays disabled.'}
      </p>
      <Field
        label="New password"
        name="password"
        type="password"
        autocomplete="new-password"
        value={password}
        onValue={setPassword}
        error={action.error}
      />
      <DialogButtons onClose={onClose} action={action}>
        Set the password
      </DialogButtons>
    </ActionForm>
  );
}

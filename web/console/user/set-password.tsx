/** Sets the password of the user. */
import { useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Field } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, userPath } from '../user-record.tsx';
import type { UserSection } from './user-section.ts';

export function SetPassword({ user, onChange }: UserSection) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Set a password…
      </button>
      {isOpen && (
        <Dialog title={`Set the password of ${toLabel(user)}`} onClose={close}>
          <PasswordForm user={user} onChange={onChange} onClose={close} />
        </Dialog>
      )}
    </>
  );
}

interface PasswordFormProps {
  readonly user: User;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

function PasswordForm({ user, onChange, onClose }: PasswordFormProps) {
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

/** Removes the second factor of somebody who has lost it. */
import type { Credential } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { credentialPath } from './credential-record.tsx';

interface ResetTotpDialogProps {
  readonly credential: Credential;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function ResetTotpDialog({ credential, onChange, onClose }: ResetTotpDialogProps) {
  const { name } = credential;
  const reset = async () => {
    await request(`${credentialPath(credential)}/totp`, { method: 'DELETE' });
    announce(`Two-step sign-in of ${name} was reset.`);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Reset two-step sign-in of ${name}?`}
      verb={`Reset two-step sign-in of ${name}`}
      failure="Two-step sign-in was not reset"
      onConfirm={reset}
      onClose={onClose}
    >
      <p>
        For a person who has lost their phone and the recovery codes. The credential alone signs in then, and
        works outside of this console again.
      </p>
      <p>Make sure that it was they who asked. If the credential may be lost, too, rotate it.</p>
    </ConfirmDialog>
  );
}

/** Revokes a credential. */
import type { Credential } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { credentialPath } from './record.tsx';

interface RevokeDialogProps {
  readonly credential: Credential;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function RevokeDialog({ credential, onChange, onClose }: RevokeDialogProps) {
  const { name } = credential;
  const revoke = async () => {
    await request(credentialPath(credential), { method: 'DELETE' });
    announce(`The credential ${name} was revoked.`);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Revoke the credential “${name}”?`}
      verb="Revoke credential"
      failure="The credential was not revoked"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>Every request with the credential is rejected from now on. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

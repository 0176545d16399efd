/** Replaces the secret of a credential. */
import type { Credential } from '../../common/api-types.ts';
import { post } from '../records/requests.ts';
import { RotateSecret } from '../rotate-secret.tsx';
import { CredentialSecret, type CredentialWithSecret, credentialPath } from './record.tsx';

interface RotateDialogProps {
  readonly credential: Credential;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function RotateDialog({ credential, onChange, onClose }: RotateDialogProps) {
  const rotate = async (overlap: number) => {
    const rotated = await post<CredentialWithSecret>(`${credentialPath(credential)}/rotate`, { overlap });
    onChange();
    return rotated.credential;
  };
  return (
    <RotateSecret
      owner={credential}
      title={`Rotate ${credential.name}?`}
      failure="The credential was not rotated"
      verb={`Rotate ${credential.name}`}
      rotate={rotate}
      renderSecret={(secret) => <CredentialSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      A new secret replaces the present one; name, scopes, networks and expiry stay.
    </RotateSecret>
  );
}

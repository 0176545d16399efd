/** Replaces the secret of a credential. */
import { useState } from 'preact/hooks';
import type { Credential } from '../../common/api-types.ts';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Select } from '../../common/form.tsx';
import { useAction } from '../../common/use-action.ts';
import { post } from '../post-once.ts';
import { CredentialSecret, type CredentialWithSecret, credentialPath } from './credential-record.tsx';

/** Names of overlaps of secrets by their seconds. */
export const OVERLAPS: readonly (readonly [string, string])[] = [
  ['86400', '24 hours'],
  ['604800', '7 days'],
  ['3600', 'one hour'],
  ['0', 'not at all: it is rejected at once'],
];

interface RotateDialogProps {
  readonly credential: Credential;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function RotateDialog({ credential, onChange, onClose }: RotateDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [overlap, setOverlap] = useState(OVERLAPS[0]![0]);
  const action = useAction();
  const rotate = async () => {
    const path = `${credentialPath(credential)}/rotate`;
    setSecret((await post<CredentialWithSecret>(path, { overlap: Number(overlap) })).credential);
    onChange();
  };
  if (secret !== null)
    return (
      <Dialog title={`The new secret of ${credential.name}`}>
        <CredentialSecret secret={secret} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={`Rotate ${credential.name}?`} onClose={onClose}>
      <ActionForm action={action} onSubmit={rotate} failure="The credential was not rotated">
        <p>
          A new secret replaces the present one; name, scopes, networks and expiry stay. Console sessions that
          began with the present secret end with it.
          {credential.previous_until !== null && ' The secret before it is rejected at once.'}
        </p>
        <Select
          label="The present secret stays valid for"
          options={OVERLAPS}
          value={overlap}
          onValue={setOverlap}
        />
        <DialogButtons onClose={onClose} action={action}>
          Rotate {credential.name}
        </DialogButtons>
      </ActionForm>
    </Dialog>
  );
}

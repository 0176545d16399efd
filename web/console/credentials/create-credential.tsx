/** Creates a credential, and shows its secret once. */
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../common/dialog.tsx';
import { Icon } from '../../common/icon.tsx';
import { announce } from '../status.tsx';
import { post } from '../webhooks/webhook-record.tsx';
import { CredentialForm, type CredentialSettings } from './credential-form.tsx';
import { API_PATH, CredentialSecret, type CredentialWithSecret } from './credential-record.tsx';

export function CreateCredential({ onCreated }: { readonly onCreated: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CredentialWithSecret | null>(null);
  const attempt = useRef({ body: '', key: '' });
  const close = () => setOpen(false);
  const create = async (settings: CredentialSettings) => {
    // A request without a response may have been processed: the same settings are sent with the same key.
    const body = JSON.stringify(settings);
    if (attempt.current.body !== body) attempt.current = { body, key: crypto.randomUUID() };
    setCreated(await post<CredentialWithSecret>(API_PATH, settings, attempt.current.key));
    attempt.current.body = '';
    close();
    onCreated();
  };
  const finish = () => {
    setCreated(null);
    announce(`The credential ${created!.name} was created.`);
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Create credential
      </button>
      {isOpen && (
        <Dialog title="Create credential" onClose={close}>
          <CredentialForm onSubmit={create} onClose={close} />
        </Dialog>
      )}
      {created && (
        <Dialog title={`The credential ${created.name}`}>
          <CredentialSecret secret={created.credential} onClose={finish} />
        </Dialog>
      )}
    </>
  );
}

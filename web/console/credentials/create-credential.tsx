/** Creates a credential, and shows its secret once. */
import { CreateRecord } from '../records/create-record.tsx';
import { announce } from '../status.tsx';
import { CredentialForm } from './form.tsx';
import { API_PATH, CredentialSecret, type CredentialWithSecret } from './record.tsx';

export function CreateCredential({ onCreated }: { readonly onCreated: () => void }) {
  return (
    <CreateRecord<CredentialWithSecret>
      verb="Create credential"
      path={API_PATH}
      form={(form) => <CredentialForm {...form} />}
      getTitle={({ name }) => `The credential ${name}`}
      result={({ credential }, onClose) => <CredentialSecret secret={credential} onClose={onClose} />}
      onCreated={onCreated}
      onFinished={({ name }) => announce(`The credential ${name} was created.`)}
    />
  );
}

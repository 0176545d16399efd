/** Adds an identity provider, then says what to register there and checks it. */
import type { IdentityProvider } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { CloseButton } from '../../common/dialog.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { announce } from '../status.tsx';
import { ProviderChecks } from './checks.tsx';
import { ProviderForm } from './form.tsx';
import { API_PATH } from './record.ts';

export function AddProvider({ onAdded }: { readonly onAdded: () => void }) {
  return (
    <CreateRecord<IdentityProvider>
      verb="Add provider"
      path={API_PATH}
      form={(form) => (
        <ProviderForm provider={null} verb="Add provider" failure="The provider was not added" {...form} />
      )}
      getTitle={({ name }) => `${name} was added`}
      result={(provider, onClose) => (
        <>
          <p>Register this redirect URI at the provider. Until then, it sends nobody back.</p>
          <CodeBlock label="Redirect URI" text={provider.redirect_uri} wraps />
          <ProviderChecks provider={provider} isImmediate />
          <CloseButton onClose={onClose} />
        </>
      )}
      canEscape={() => true}
      onCreated={onAdded}
      onFinished={({ name }) => announce(`The identity provider ${name} was added.`)}
    />
  );
}

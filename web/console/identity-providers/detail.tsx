/** An identity provider: what is registered there, its checks and its actions. */
import type { IdentityProvider } from '../../common/api-types.ts';
import { CopiedId, Facts } from '../records/facts.tsx';
import {
  ConfirmAction,
  type RecordAction,
  RecordActions,
  type RecordDialogProps,
} from '../records/record-actions.tsx';
import { EditRecord } from '../records/record-form.tsx';
import { type Section, toggleEnabled } from '../records/requests.ts';
import { ProviderChecks, providers } from './checks.tsx';
import { PROVIDER_FORM } from './form.tsx';

const ACTIONS: readonly RecordAction<IdentityProvider>[] = [
  { label: 'Edit…', class: 'compact', Dialog: EditDialog },
  {
    label: ({ enabled }) => (enabled ? 'Turn off' : 'Turn on'),
    class: 'compact',
    run: (section) => toggleEnabled(providers, section, describeState),
  },
  { label: 'Delete…', class: 'compact danger', Dialog: DeleteDialog },
];

const describeState = ({ name, enabled }: IdentityProvider) =>
  `${name} ${enabled ? 'was turned on.' : 'was turned off. Nobody can sign in with it.'}`;

export function ProviderDetail(section: Section<IdentityProvider>) {
  const provider = section.record;
  return (
    <div class="stack tight">
      <Facts
        class="addresses"
        facts={{
          'Redirect URI': <CopiedId id={provider.redirect_uri} name="redirect URI" />,
          'Client id': <code>{provider.client_id}</code>,
          Scopes: <code>{provider.scopes.join(' ')}</code>,
        }}
      />
      <ProviderChecks provider={provider} />
      <RecordActions {...section} actions={ACTIONS} failure="The provider was not changed" />
    </div>
  );
}

function EditDialog(dialog: RecordDialogProps<IdentityProvider>) {
  const { name } = dialog.record;
  const texts = { title: `Edit ${name}`, done: `${name} was changed.` };
  return <EditRecord {...dialog} {...texts} records={providers} form={PROVIDER_FORM} />;
}

function DeleteDialog(dialog: RecordDialogProps<IdentityProvider>) {
  const { name } = dialog.record;
  return (
    <ConfirmAction
      {...dialog}
      title={`Delete ${name}?`}
      verb="Delete provider"
      failure="The provider was not deleted"
      act={() => providers.remove(dialog)}
      done={`${name} was deleted.`}
    >
      <p>
        Nobody can sign in with it any more. Accounts and their links stay, and work again if a provider with
        this issuer is added. People without a password need one: send them a link to set it.
      </p>
      <p>To stop sign-ins for some time, turn it off.</p>
    </ConfirmAction>
  );
}

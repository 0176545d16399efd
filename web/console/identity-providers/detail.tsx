/** An identity provider: what is registered there, its checks and its actions. */
import { useEffect, useState } from 'preact/hooks';
import type { IdentityProvider, ProviderCheck } from '../../common/api-types.ts';
import { Button, Facts, Failure } from '../../common/components.tsx';
import { useAction } from '../../common/use-action.ts';
import { CopiedId } from '../records/copied-id.tsx';
import {
  ConfirmAction,
  type RecordAction,
  RecordActions,
  type RecordDialogProps,
} from '../records/record-actions.tsx';
import { EditRecord } from '../records/record-form.tsx';
import { createRecords, type Section, toggleEnabled } from '../records/requests.ts';
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

export const providers = createRecords<IdentityProvider>(
  '/api/v1/identity-providers',
  'provider',
  '/console/sign-in',
);

const STEPS: Readonly<Record<ProviderCheck['step'], string>> = {
  metadata: 'Metadata',
  issuer: 'Issuer',
  algorithms: 'Signatures',
  keys: 'Keys',
  claims: 'Claims',
  client: 'Client id and secret',
  redirect_uri: 'Redirect URI',
};

const STATUSES = { ok: ['usual', 'OK'], warning: ['warn', 'Warning'], failed: ['bad', 'Failed'] } as const;

interface ProviderChecksProps {
  readonly provider: IdentityProvider;
  /** Whether they run when they are shown. */
  readonly isImmediate?: boolean;
}

export function ProviderChecks({ provider, isImmediate = false }: ProviderChecksProps) {
  const [results, setResults] = useState<readonly ProviderCheck[]>();
  const action = useAction();
  const run = () => action.run(async () => setResults(await providers.act(provider, 'check')));
  useEffect(() => {
    if (isImmediate) void run();
  }, []);
  return (
    <>
      <div aria-live="polite">{results && <Results results={results} />}</div>
      {action.error && <Failure what="The provider was not checked" error={action.error} />}
      <div>
        <Button
          text={results ? 'Check again' : 'Check'}
          class="compact"
          aria-busy={action.isBusy}
          onClick={run}
        />
      </div>
    </>
  );
}

/** Warnings do not count as failures. */
function Results({ results }: { readonly results: readonly ProviderCheck[] }) {
  const passed = results.filter(({ status }) => status !== 'failed').length;
  return (
    <>
      <h3>{`${passed} of ${results.length} checks passed`}</h3>
      <dl class="facts">
        {results.map(({ step, status, message }) => (
          <div key={step}>
            <dt class="row">
              <span class={`badge ${STATUSES[status][0]}`}>{STATUSES[status][1]}</span>
              <span>{STEPS[step]}</span>
            </dt>
            <dd class={status === 'ok' ? 'muted' : undefined}>{message}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

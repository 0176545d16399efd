/** Checks a provider step by step, without a person. */
import { useEffect, useState } from 'preact/hooks';
import type { IdentityProvider, ProviderCheck } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { useAction } from '../../common/use-action.ts';
import { createRecords } from '../records/requests.ts';

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
        <button type="button" class="compact" aria-busy={action.isBusy} onClick={run}>
          {results ? 'Check again' : 'Check'}
        </button>
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

/** Findings of `doctor` about the node. */
import { Failure, Loading } from '../../common/components.tsx';
import { Time } from '../../common/time.tsx';
import { useView } from '../session.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

interface Findings {
  readonly generated_at: string;
  readonly checks: readonly Finding[];
}

export function Checks() {
  const [loaded, again] = useView<{ data: Findings }>('/api/v1/admin/checks');
  const findings = loaded.data?.data;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      {loaded.state === 'failed' && (
        <Failure what="The checks could not be run" error={loaded.error} retry={again} />
      )}
      {loaded.state === 'loading' && !findings && <Loading what="the findings" />}
      {findings && (
        <>
          <dl class="facts">
            {findings.checks.map(({ check, status, message }) => (
              <div key={`${check} ${message}`} class={`finding ${status}`}>
                <dt>{check}</dt>
                <dd>
                  <strong>{status}</strong>: {message}
                </dd>
              </div>
            ))}
          </dl>
          <p class="muted">
            Checked <Time at={findings.generated_at} />.{' '}
            <button type="button" class="link" onClick={again}>
              Check again
            </button>
          </p>
        </>
      )}
    </section>
  );
}

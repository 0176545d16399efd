/** Findings of `doctor` about the node. */
import type { Findings } from '../../common/api-types.ts';
import { Failure, Loading, Time } from '../../common/components.tsx';
import { useView } from '../session.ts';

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

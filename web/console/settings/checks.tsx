/** Findings of `doctor` about the node. */
import type { Findings } from '../../common/api-types.ts';
import { Failure, Loading } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useView } from '../session.ts';

/** By the status of a finding; others are quiet. */
const TONES: Readonly<Record<string, string>> = { ok: 'usual', warning: 'warn', error: 'bad' };

export function Checks() {
  const [loaded, again] = useView<{ data: Findings }>('/api/v1/admin/checks');
  const findings = loaded.data?.data;
  return (
    <section class="panel" aria-labelledby="checks">
      <header>
        <h2 id="checks">Checks</h2>
        {findings && (
          <p class="context">
            Checked <ShortTime at={findings.generated_at} />
          </p>
        )}
        {findings && (
          <button type="button" class="compact end" onClick={again}>
            Check again
          </button>
        )}
      </header>
      {loaded.state === 'failed' && (
        <Failure what="The checks could not be run" error={loaded.error} retry={again} />
      )}
      {loaded.state === 'loading' && !findings && <Loading what="the findings" />}
      {findings && (
        <dl class="facts checks">
          {findings.checks.map(({ check, status, message }) => (
            <div key={`${check} ${message}`}>
              <dt class="row">
                <span class={`badge ${TONES[status] ?? ''}`}>{status}</span> {check}
              </dt>
              <dd>{message}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Findings of `doctor` about the node: warnings and errors, then the others, folded. */
import type { Findings } from '../../common/api-types.ts';
import { capitalize, formatCount, LoadState, Panel } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useData } from '../session.ts';

type Finding = Findings['checks'][number];

/** By the status of a finding; others are quiet. */
const TONES: Readonly<Record<string, string>> = { ok: 'usual', warning: 'warn', error: 'bad' };
const STATUSES: Readonly<Record<string, string>> = {
  ok: 'OK',
  warning: 'Warning',
  error: 'Error',
  skipped: 'Skipped',
};

export function Checks() {
  const [loaded, again] = useData<Findings>('/api/v1/admin/checks');
  const findings = loaded.data;
  return (
    <Panel
      title="Checks"
      id="checks"
      beside={
        findings && (
          <>
            <p class="context">
              <ShortTime at={findings.generated_at} />
            </p>
            <button type="button" class="compact end" onClick={again} aria-busy={loaded.state === 'loading'}>
              Check again
            </button>
          </>
        )
      }
    >
      <LoadState loaded={loaded} what="the findings" retry={again} />
      {findings && <Results findings={findings.checks} />}
    </Panel>
  );
}

function Results({ findings }: { readonly findings: readonly Finding[] }) {
  const isQuiet = ({ status }: Finding) => status === 'ok' || status === 'skipped';
  const isError = ({ status }: Finding) => status === 'error';
  const quiet = findings.filter(isQuiet);
  const loud = findings.filter((finding) => !isQuiet(finding));
  loud.sort((one, other) => Number(isError(other)) - Number(isError(one)));
  return (
    <>
      {loud.length > 0 && <FindingList findings={loud} />}
      <details>
        <summary>{summarize(quiet, loud.length > 0)}</summary>
        <FindingList findings={quiet} />
      </details>
    </>
  );
}

/** `7 other checks found nothing wrong, 1 was skipped.` */
function summarize(quiet: readonly Finding[], areOthers: boolean): string {
  const skipped = quiet.filter(({ status }) => status === 'skipped').length;
  const passed = quiet.length - skipped;
  const text = `${formatCount(passed)} ${areOthers ? 'other ' : ''}${passed === 1 ? 'check' : 'checks'} found nothing wrong`;
  if (skipped === 0) return `${text}.`;
  return `${text}, ${formatCount(skipped)} ${skipped === 1 ? 'was' : 'were'} skipped.`;
}

function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <dl class="facts">
      {findings.map(({ check, status, message }) => (
        <div key={`${check} ${message}`}>
          <dt class="row">
            <span class={`badge ${TONES[status] ?? ''}`}>{STATUSES[status] ?? status}</span>
            <span>{capitalize(check)}</span>
          </dt>
          <dd>{toSentence(message)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The command line has one finding per line, without a full stop. */
function toSentence(message: string): string {
  const text = /^[a-z]+ /.test(message) ? capitalize(message) : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

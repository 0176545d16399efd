/** Why nothing is delivered, since when, and the replay of what was missed. */
import { useState } from 'preact/hooks';
import { capitalize } from '../../common/capitalize.ts';
import { Failure, formatCount } from '../../common/components.tsx';
import { formatTime, Time } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { post } from '../records/requests.ts';
import { formatLastError } from './text.ts';
import { usePolling } from './use-polling.ts';
import { explainState, type WebhookSection, webhookPath } from './record.tsx';

export function Problem({ webhook, onChange }: WebhookSection) {
  const { id, failing_since, last_error, disabled_reason, pending } = webhook;
  const [total, setTotal] = useState(0);
  const action = useAction();
  const explanation = explainState(webhook);
  const replay = async () => {
    const { events } = await post<{ events: number }>(`${webhookPath(id)}/replay`, { since_failing: true });
    setTotal(events);
    onChange();
  };
  usePolling(total > 0 && pending > 0, webhook, onChange);
  return (
    <>
      {explanation !== null && (
        <section class={`notice ${failing_since === null ? '' : 'failure'}`} aria-label="Problem">
          <p>
            {failing_since !== null && (
              <strong>
                {last_error === null ? 'Failing' : capitalize(formatLastError(last_error))} since{' '}
                <Time at={failing_since} />.{' '}
              </strong>
            )}
            {explanation}
          </p>
          {failing_since !== null && disabled_reason !== 'administrator' && (
            <button
              type="button"
              class="compact"
              aria-busy={action.isBusy}
              onClick={() => action.run(replay)}
            >
              {nameReplay(webhook, failing_since)}
            </button>
          )}
          {action.error && <Failure what="Nothing is replayed" error={action.error} />}
        </section>
      )}
      <Progress total={total} pending={pending} isFailing={failing_since !== null} />
    </>
  );
}

function nameReplay({ enabled, undelivered }: WebhookSection['webhook'], since: string): string {
  const deliveries = undelivered === 1 ? 'delivery' : 'deliveries';
  const what = `replay ${formatCount(undelivered)} failed ${deliveries} since ${formatTime(since)}`;
  return enabled ? capitalize(what) : `Enable and ${what}`;
}

interface ProgressProps {
  readonly total: number;
  readonly pending: number;
  readonly isFailing: boolean;
}

function Progress({ total, pending, isFailing }: ProgressProps) {
  const done = total - Math.min(pending, total);
  const count = `${formatCount(done)} of ${formatCount(total)}`;
  const outcome = done === total && !isFailing ? `All ${formatCount(total)}` : count;
  return (
    <div role="status" class={total > 0 ? 'notice' : 'result'}>
      {total > 0 && (
        <>
          <p>{outcome} replayed deliveries were received.</p>
          {done < total && <progress max={total} value={done} aria-label="Replay" />}
        </>
      )}
    </div>
  );
}

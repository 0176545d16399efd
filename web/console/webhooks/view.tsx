/** One webhook: why nothing is delivered, and its deliveries. */
import { useState } from 'preact/hooks';
import type { WebhookHealth } from '../../common/api-types.ts';
import { capitalize, formatCount, PageHead } from '../../common/components.tsx';
import { formatTime, ShortTime, Time } from '../../common/time.tsx';
import { ActionButton } from '../records/record-actions.tsx';
import { BackLink, recordView } from '../records/record-page.tsx';
import type { PageSection, Section } from '../records/requests.ts';
import { usePolling } from '../records/use-pages.ts';
import { WebhookActions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { explainState, formatTypes, WebhookBadge, webhooks } from './record.tsx';
import { formatLastError } from './text.ts';

export const WebhookView = recordView(webhooks, Page);

/** Types that are named; of more, the number. */
const MAX_NAMED = 3;

function Page({ revision, ...section }: PageSection<WebhookHealth>) {
  const webhook = section.record;
  const { description, types, previous_secret_until: until, created_at } = webhook;
  const named = types !== null && types.length <= MAX_NAMED ? types.join(', ') : formatTypes(webhook);
  return (
    <>
      <PageHead
        title={webhook.url}
        back={<BackLink {...webhooks.list} />}
        context={
          <>
            <WebhookBadge webhook={webhook} /> {description && <bdi>{description} · </bdi>}
            <span title={types?.join(', ')}>{named}</span> · created <ShortTime at={created_at} />
            {until && ' · the earlier secret also signs until '}
            {until && <Time at={until} />}
          </>
        }
      >
        <WebhookActions {...section} />
      </PageHead>
      <Problem {...section} />
      <Deliveries webhook={webhook} revision={revision} />
    </>
  );
}

/** Why nothing is delivered, since when, and the replay of what was missed. */
function Problem({ record: webhook, onChange }: Section<WebhookHealth>) {
  const { failing_since, last_error, disabled_reason, pending } = webhook;
  const [total, setTotal] = useState(0);
  const explanation = explainState(webhook);
  const replay = async () => {
    const { events } = await webhooks.act<{ events: number }>(webhook, 'replay', {
      since_failing: true,
    });
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
            <ActionButton
              text={nameReplay(webhook, failing_since)}
              class="compact"
              failure="Nothing is replayed"
              run={replay}
            />
          )}
        </section>
      )}
      <Progress total={total} pending={pending} isFailing={failing_since !== null} />
    </>
  );
}

function nameReplay({ enabled, undelivered }: WebhookHealth, since: string): string {
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

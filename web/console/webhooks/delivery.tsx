/** The attempts of a delivery, with what was sent and received. */
import { useState } from 'preact/hooks';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetail } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { LoadState } from '../../common/panel.tsx';
import { Link } from '../../common/router.tsx';
import { PreciseTime, Time } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { linkToEvents } from '../events/filters.tsx';
import { post } from '../records/requests.ts';
import { useView } from '../session.ts';
import { announce } from '../status.tsx';
import { type Attempt, formatDuration, formatResult, isSuccess } from './text.ts';
import { ExchangeView } from './exchange-view.tsx';
import { webhookPath } from './record.tsx';

interface DeliveryProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly onRetried: () => void;
}

export function DeliveryDetail(props: DeliveryProps) {
  const { webhook, delivery } = props;
  const { attempts } = delivery;
  const [chosen, setChosen] = useState<number | null>(null);
  const path = `${webhookPath(webhook.id)}/deliveries/${delivery.id}`;
  const [loaded, retry] = useView<{ data: WebhookDeliveryDetail }>(path, attempts.length);
  const detail = loaded.data?.data;
  const shown = chosen ?? attempts.at(-1)?.attempt;
  return (
    <div class="columns even">
      <div class="stack tight">
        {attempts.length > 0 && (
          <ol class="timeline" aria-label="Attempts">
            {[...attempts].reverse().map((attempt) => (
              <AttemptItem
                key={attempt.attempt}
                attempt={attempt}
                isShown={attempts.length > 1 ? attempt.attempt === shown : null}
                onShow={() => setChosen(attempt.attempt)}
              />
            ))}
          </ol>
        )}
        <Next {...props} />
      </div>
      <div class="stack tight">
        <LoadState loaded={loaded} what="what was sent" retry={retry} />
        {detail && <ExchangeView delivery={detail} shown={shown} />}
      </div>
    </div>
  );
}

function Next({ webhook, delivery, onRetried }: DeliveryProps) {
  const action = useAction();
  const retry = async () => {
    await post(`${webhookPath(webhook.id)}/deliveries/${delivery.id}/retry`, {});
    announce('The delivery is attempted again.');
    onRetried();
  };
  const { subject, next_attempt_at } = delivery;
  return (
    <>
      <p class="small">
        {explainNext(delivery)} {next_attempt_at !== null && <Time at={next_attempt_at} />}
      </p>
      <div class="row">
        <button
          type="button"
          class="compact"
          disabled={!webhook.enabled}
          aria-busy={action.isBusy}
          onClick={() => action.run(retry)}
        >
          Retry now
        </button>
        {subject !== null && <Link to={linkToEvents({ subject })}>Events of its subject</Link>}
      </div>
      {action.error && <Failure what="The delivery was not attempted" error={action.error} />}
    </>
  );
}

interface AttemptItemProps {
  readonly attempt: Attempt;
  /** Whether its request and response are shown; null for the only attempt. */
  readonly isShown: boolean | null;
  readonly onShow: () => void;
}

function AttemptItem({ attempt, isShown, onShow }: AttemptItemProps) {
  const { attempt: number, line, duration_ms, at } = attempt;
  const title = `Attempt ${number}: ${formatResult(attempt)}`;
  return (
    <li class={isSuccess(attempt) ? 'good' : 'bad'}>
      <span class="attempts">
        {isShown === null ? (
          <strong>{title}</strong>
        ) : (
          <button type="button" class="attempt" aria-pressed={isShown} onClick={onShow}>
            {title}
          </button>
        )}{' '}
        after {formatDuration(duration_ms)}
        {line && <code>{line}</code>}
      </span>
      <PreciseTime at={at} />
    </li>
  );
}

/** The next step; the time of the next attempt follows. */
function explainNext({ state, attempts }: WebhookDelivery): string {
  if (state === 'delivered') return 'Delivered; nothing more is sent.';
  if (state === 'failed') return 'Given up after all attempts. Retry it, or replay events.';
  return attempts.length === 0 ? 'Is sent:' : 'Next attempt:';
}

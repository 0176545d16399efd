/** The attempts of a delivery. */

import type { Webhook, WebhookDelivery } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { pageLanguage } from '../../common/page-language.ts';
import { Link } from '../../common/router.tsx';
import { PreciseTime, Time } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { linkToEvents } from '../events/event-filters.tsx';
import { post } from '../post-once.ts';
import { announce } from '../status.tsx';
import { webhookPath } from './webhook-record.tsx';

interface DeliveryProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly onRetried: () => void;
}

export function DeliveryDetail({ webhook, delivery, onRetried }: DeliveryProps) {
  const action = useAction();
  const retry = async () => {
    await post(`${webhookPath(webhook.id)}/deliveries/${delivery.id}/retry`, {});
    announce('The delivery is attempted again.');
    onRetried();
  };
  const { attempts, subject } = delivery;
  return (
    <div class="stack tight">
      {attempts.length > 0 && (
        <ol class="timeline" aria-label="Attempts">
          {[...attempts].reverse().map((attempt) => (
            <AttemptItem key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      )}
      <p class="small">
        {explainNext(delivery)} {delivery.next_attempt_at !== null && <Time at={delivery.next_attempt_at} />}
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
    </div>
  );
}

type Attempt = WebhookDelivery['attempts'][number];

function AttemptItem({ attempt }: { readonly attempt: Attempt }) {
  const { status, line } = attempt;
  return (
    <li class={isSuccess(status) ? 'good' : 'bad'}>
      <span class="attempts">
        <span>
          <strong>
            Attempt {attempt.attempt}: {formatResult(attempt)}
          </strong>{' '}
          after {formatDuration(attempt.duration_ms)}
        </span>
        {line && <code>{line}</code>}
      </span>
      <PreciseTime at={attempt.at} />
    </li>
  );
}

/** `84 ms`, `15 s` */
function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  return `${(milliseconds / 1_000).toLocaleString(pageLanguage, { maximumFractionDigits: 1 })} s`;
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  dns: 'the name has no address',
  address_not_allowed: 'the address is not allowed',
  refused: 'connection refused',
  unreachable: 'unreachable',
  reset: 'connection reset',
  tls: 'certificate not accepted',
  redirect: 'redirects are not followed',
  too_large: 'response too large',
  invalid_response: 'not a response of HTTP',
  aborted: 'interrupted',
  secret_unreadable: 'the secret cannot be decrypted',
};

export function formatResult({ status, error }: Attempt): string {
  const text = error === null ? '' : (ERRORS[error] ?? error);
  return [status, text].filter(Boolean).join(', ') || 'no response';
}

/** The next step; the time of the next attempt follows. */
function explainNext({ state }: WebhookDelivery): string {
  if (state === 'delivered') return 'Delivered; nothing more is sent.';
  if (state === 'failed') return 'Given up after all attempts. Retry it, or replay events.';
  return 'Next attempt:';
}

/** The attempts of a delivery, with what was sent and received. */
import { useState } from 'preact/hooks';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetail } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Button, LoadState } from '../../common/components.tsx';
import { formatDuration } from '../../common/page-language.ts';
import { Link } from '../../common/router.tsx';
import { PreciseTime, Time } from '../../common/time.tsx';
import { linkToEvents } from '../events/filters.tsx';
import { ActionButton } from '../records/record-actions.tsx';
import { useData } from '../session.ts';
import { announce } from '../status.tsx';
import { webhooks } from './record.tsx';
import { type Attempt, formatResult, formatStatus, isSuccess } from './text.ts';

interface DeliveryProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly onRetried: () => void;
}

export function DeliveryDetail(props: DeliveryProps) {
  const { webhook, delivery } = props;
  const { attempts } = delivery;
  const [chosen, setChosen] = useState<number | null>(null);
  const path = webhooks.pathTo(webhook.id, `/deliveries/${delivery.id}`);
  const [loaded, retry] = useData<WebhookDeliveryDetail>(path, attempts.length);
  const detail = loaded.data;
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
  const retry = async () => {
    await webhooks.act(webhook, `deliveries/${delivery.id}/retry`);
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
        <ActionButton
          text="Retry now"
          class="compact"
          failure="The delivery was not attempted"
          disabled={!webhook.enabled}
          run={retry}
        />
        {subject !== null && <Link to={linkToEvents({ subject })}>Events of its subject</Link>}
      </div>
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
          <Button text={title} class="link" aria-pressed={isShown} onClick={onShow} />
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

interface ExchangeProps {
  readonly delivery: WebhookDeliveryDetail;
  /** Number of the attempt; none before the first. */
  readonly shown: number | undefined;
}

function ExchangeView({ delivery, shown }: ExchangeProps) {
  const { body, attempts, exchanges } = delivery;
  const attempt = attempts.find((each) => each.attempt === shown);
  const { request = null, response = null } = exchanges.find((each) => each.attempt === shown) ?? {};
  const status = attempt?.status ?? null;
  return (
    <>
      <CodeBlock label="Body" text={JSON.stringify(JSON.parse(body), null, 2)} copied={body} wraps />
      {request !== null && (
        <CodeBlock label="Headers" text={`POST ${request.url}\n${formatHeaders(request.headers)}`} wraps />
      )}
      {response !== null && <CodeBlock label="Response" text={formatResponse(response, status)} wraps />}
      {attempt !== undefined && response === null && (
        <p class="small muted">
          {status === null
            ? 'There was no response.'
            : 'The response is not kept: its user was erased, or it is older than this release.'}
        </p>
      )}
    </>
  );
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

type Response = NonNullable<WebhookDeliveryDetail['exchanges'][number]['response']>;

function formatResponse({ headers, body, is_cut }: Response, status: number | null): string {
  const head = [status === null ? '' : formatStatus(status), formatHeaders(headers)]
    .filter(Boolean)
    .join('\n');
  const rest = is_cut ? '\n… (only the first 1,024 bytes are kept)' : '';
  return body === null ? `${head}${rest}` : `${head}\n\n${body}${rest}`;
}

/** What an attempt has sent and received. */
import type { WebhookDeliveryDetail } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { formatStatus } from './text.ts';

interface ExchangeProps {
  readonly delivery: WebhookDeliveryDetail;
  /** Number of the attempt; none before the first. */
  readonly shown: number | undefined;
}

export function ExchangeView({ delivery, shown }: ExchangeProps) {
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

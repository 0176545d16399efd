/** Response of a request, or why there is none. */
import { ScrollArea } from '../../common/components.tsx';
import { CodeBlock } from '../code-block.tsx';
import type { ShownResponse } from './transmit.ts';
import type { SendState } from './use-exchange.ts';

export function ReplyView({ exchange }: { readonly exchange: SendState }) {
  return (
    <div class="reply">
      <div role="status">
        {exchange.state === 'sending' && <p class="loading">Waiting for the response …</p>}
        {exchange.state === 'cancelled' && (
          <p>Cancelled. The service may have processed the request all the same.</p>
        )}
        {exchange.state === 'done' && <StatusLine reply={exchange.reply} />}
      </div>
      {exchange.state === 'failed' && (
        <div class="notice failure" role="alert">
          <p>
            <strong>There was no response.</strong> {exchange.reason}
          </p>
        </div>
      )}
      {exchange.state === 'done' && <Content reply={exchange.reply} />}
    </div>
  );
}

function StatusLine({ reply: { status, statusText, time, headers } }: { readonly reply: ShownResponse }) {
  const requestId = new Headers(headers.map(([name, value]): [string, string] => [name, value])).get(
    'X-Request-Id',
  );
  return (
    <p>
      <strong class={`code-number ${status < 400 ? 'success' : 'error'}`}>
        {status} {statusText}
      </strong>{' '}
      in {Math.round(time)} ms
      {requestId !== null && (
        <>
          {' '}
          · request <code class="request-id">{requestId}</code>
        </>
      )}
    </p>
  );
}

function Content({ reply }: { readonly reply: ShownResponse }) {
  const { headers, text, isCut } = reply;
  return (
    <>
      {text === '' ? (
        <p>The response has no body.</p>
      ) : (
        <CodeBlock label="Response body" text={shown(reply)} />
      )}
      {isCut && <p>The body is longer: only its first 256 KiB are shown.</p>}
      <details>
        <summary>
          {headers.length} {headers.length === 1 ? 'header' : 'headers'}
        </summary>
        <ScrollArea label="Headers of the response">
          <dl>
            {headers.map(([name, value]) => (
              <div key={`${name} ${value}`}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </ScrollArea>
      </details>
    </>
  );
}

/** Returns JSON indented, and everything else as it is. */
function shown({ text }: ShownResponse): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Response of a request, or why there is none. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CodeBlock } from '../common/code-block.tsx';
import { Button, Facts, Failure } from '../common/components.tsx';
import { pasteToken, sender, token } from './credentials.ts';
import type { SendState, ShownResponse } from './send-request.ts';

export function ResponseView({ sending }: { readonly sending: SendState }) {
  const view = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The beginning of a long response, which has its status.
    if (sending.state === 'done' || sending.state === 'failed') scrollIntoView(view.current!);
  }, [sending.state]);
  return (
    <div class="received-response stack tight" ref={view}>
      <div role="status">
        {sending.state === 'sending' && <p class="loading">Waiting for the response…</p>}
        {sending.state === 'cancelled' && (
          <p>Cancelled. The service may have processed the request all the same.</p>
        )}
        {sending.state === 'done' && <StatusLine response={sending.response} />}
      </div>
      {sending.state === 'failed' && <Failure what="There was no response" error={sending.error} />}
      {sending.state === 'done' && <Content response={sending.response} />}
    </div>
  );
}

function scrollIntoView(view: HTMLElement): void {
  const isLong = view.offsetHeight > innerHeight * 0.8;
  view.scrollIntoView({ block: isLong ? 'start' : 'nearest' });
}

interface ResponseProps {
  readonly response: ShownResponse;
}

function StatusLine({ response: { status, statusText, time, headers } }: ResponseProps) {
  const requestId = headers.get('X-Request-Id');
  return (
    <p>
      <strong class={`tone ${status < 400 ? 'good' : 'bad'}`}>
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

function Content({ response: { headers, text, isCut } }: ResponseProps) {
  const all = [...headers];
  return (
    <>
      {text === '' ? (
        <p>The response has no body.</p>
      ) : (
        <CodeBlock label="Response body" text={indentJson(text)} />
      )}
      <CreatedToken text={text} />
      {isCut && <p>The body is longer: only its first 256 KiB are shown.</p>}
      <details>
        <summary>
          {all.length} {all.length === 1 ? 'header' : 'headers'}
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it */}
        <section class="scroll" aria-label="Headers of the response" tabIndex={0}>
          <Facts facts={Object.fromEntries(all)} />
        </section>
      </details>
    </>
  );
}

/** Tokens and credentials, but not those of applications. */
const TOKEN = /\bfd_(?:pat|svc)_[0-9A-Za-z]{40,}/;

/** Offers a token that the response has, for the requests and the samples that follow. */
function CreatedToken({ text }: { readonly text: string }) {
  const [created] = TOKEN.exec(text) ?? [];
  if (created === undefined) return null;
  const isUsed = token.value === created && sender.value === 'token';
  const use = () => {
    pasteToken(created);
    sender.value = 'token';
  };
  return (
    <p aria-live="polite">
      {isUsed ? (
        'Requests and copied samples have this token until you leave the page.'
      ) : (
        <Button text="Use this token" onClick={use} />
      )}
    </p>
  );
}

/** Returns JSON indented, and everything else as it is. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

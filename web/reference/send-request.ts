/** Sends requests and reads their responses. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, noResponse } from '../common/api.ts';
import { type Credential, session, token } from './credentials.ts';
import { readBody, type ShownBody } from './read-body.ts';
import type { HttpRequest } from './request.ts';

export interface ShownResponse extends ShownBody {
  readonly status: number;
  readonly statusText: string;
  /** Milliseconds until the body was read. */
  readonly time: number;
  readonly headers: Headers;
}

export type SendState =
  | { readonly state: 'idle' | 'sending' | 'cancelled' }
  | { readonly state: 'failed'; readonly error: ApiError }
  | { readonly state: 'done'; readonly response: ShownResponse };

type Send = (request: HttpRequest, credential: Credential | null) => Promise<void>;

/** Returns the state, a function that sends a request, and one that cancels it. */
export function useSendRequest(): [SendState, Send, () => void] {
  const [sending, setSending] = useState<SendState>({ state: 'idle' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send: Send = async (request, credential) => {
    const controller = new AbortController();
    abort.current = controller;
    setSending({ state: 'sending' });
    try {
      const response = await transmit(request, credential, controller.signal);
      if (credential === 'session' && response.status === 401) session.value = 'absent';
      setSending({ state: 'done', response });
    } catch {
      setSending(
        controller.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error: noResponse() },
      );
    }
  };
  return [sending, send, () => abort.current?.abort()];
}

/**
 * Sends the request with this credential and no other: without the session, not even the cookies of the browser.
 * @throws TypeError without a response, AbortError
 */
async function transmit(
  { url, method, headers, body }: HttpRequest,
  credential: Credential | null,
  signal: AbortSignal,
): Promise<ShownResponse> {
  const start = performance.now();
  const response = await fetch(url, {
    method,
    headers: [...headers, ...toCredentialHeaders(credential)],
    body,
    credentials: credential === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    signal,
  });
  const content = await readBody(response);
  const { status, statusText } = response;
  return { status, statusText, time: performance.now() - start, headers: response.headers, ...content };
}

/** The cookie of the session counts only together with this header. */
function toCredentialHeaders(credential: Credential | null): [name: string, value: string][] {
  if (credential === 'token') return [['Authorization', `Bearer ${token.value}`]];
  return credential === 'session' ? [['X-Frontdesk-Console', '1']] : [];
}

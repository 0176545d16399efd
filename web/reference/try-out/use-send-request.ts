/** Sends a request, and keeps its state and response. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { noResponseText } from '../../common/api.ts';
import { type Credential, session } from './credentials.ts';
import type { HttpRequest } from './request.ts';
import { type ShownResponse, transmit } from './transmit.ts';

export type SendState =
  | { readonly state: 'idle' | 'sending' | 'cancelled' }
  | { readonly state: 'failed'; readonly reason: string }
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
        controller.signal.aborted ? { state: 'cancelled' } : { state: 'failed', reason: noResponseText() },
      );
    }
  };
  return [sending, send, () => abort.current?.abort()];
}

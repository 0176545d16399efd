/** Sends a request and reads its response. */
import { type Credential, token } from './credentials.ts';
import { readBody, type ShownBody } from './read-body.ts';
import type { HttpRequest } from './request.ts';

export interface ShownResponse extends ShownBody {
  readonly status: number;
  readonly statusText: string;
  /** Milliseconds until the body was read. */
  readonly time: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Sends the request with this credential and no other: without the session, not even the cookies of the browser.
 * @throws TypeError without a response, AbortError
 */
export async function transmit(
  { url, method, headers, body }: HttpRequest,
  credential: Credential | null,
  signal: AbortSignal,
): Promise<ShownResponse> {
  const start = performance.now();
  const response = await fetch(url, {
    method,
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ...toCredentialHeaders(credential),
    ],
    body,
    credentials: credential === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    signal,
  });
  const content = await readBody(response);
  const { status, statusText } = response;
  return { status, statusText, time: performance.now() - start, headers: [...response.headers], ...content };
}

/** The cookie of the session counts only together with this header. */
function toCredentialHeaders(credential: Credential | null): [name: string, value: string][] {
  if (credential === 'token') return [['Authorization', `Bearer ${token.value}`]];
  return credential === 'session' ? [['X-Frontdesk-Console', '1']] : [];
}

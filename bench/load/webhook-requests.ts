/** Requests that create and change the webhooks of a bench, and cause their events. */
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_TOKEN, type BenchRequest, fetchResponse, post } from './requests.ts';

const RETRY_MS = 100;

/** Sends a request of the administrator. */
async function administer(port: number, { headers, ...request }: BenchRequest) {
  const authorized = { ...headers, Authorization: `Bearer ${ADMIN_TOKEN}` };
  for (;;) {
    const response = await fetchResponse(port, { ...request, headers: authorized });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as { readonly data: { readonly id: string } };
    // The load of the round before may still be shed.
    if (response.status !== 503) throw new Error(`${response.status} ${text}`);
    await pause(RETRY_MS);
  }
}

/** Creates a webhook for the events of the bench, and returns its id. */
export async function createEndpoint(port: number, url: string): Promise<string> {
  const types = ['password.changed', 'user.updated'];
  return (await administer(port, post('/api/v1/webhooks', { url, types }))).data.id;
}

export async function setEnabled(port: number, id: string, enabled: boolean): Promise<void> {
  const request = post(`/api/v1/webhooks/${id}`, { enabled });
  await administer(port, { ...request, method: 'PATCH', headers: { ...request.headers, 'If-Match': '*' } });
}

/** Returns a change of the name of a user, which is an event. */
export function createChange(token: string, name: string): BenchRequest {
  const request = post('/api/v1/me', { name });
  return { ...request, method: 'PATCH', headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

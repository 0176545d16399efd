/** Clients that write until the service is killed, and what they know of each write. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Api, ApiRequest, ApiResponse } from '../api.ts';
import { editor, newUserData } from '../environment.ts';

/** The event that each kind of write causes, and the status of its response. */
export const STATUSES = {
  'user.created': 201,
  'user.updated': 200,
  'login.succeeded': 200,
  'login.failed': 401,
  'user.erased': 204,
} as const;

type WriteType = keyof typeof STATUSES;

export interface Write {
  readonly type: WriteType;
  /** Whether the complete response has arrived. Otherwise the write may have happened or not. */
  isAcknowledged: boolean;
}

/** Writes by the request id, which their events contain. */
export type Ledger = Map<string, Write>;

interface WriterOptions {
  readonly api: Api;
  readonly ledger: Ledger;
  /** Is called after each response. */
  readonly onResponse: () => void;
}

type Request = ApiRequest & { readonly method: string; readonly path: string };
type Send = (type: WriteType, request: Request) => Promise<ApiResponse>;

/** The response 503 of a database that has no time: whether the write has happened is unknown. */
class Unavailable extends Error {}

/** Writes until the service is gone. After a response 503, a client begins anew with another user. */
export async function writeUntilKilled({ api, ledger, onResponse }: WriterOptions): Promise<void> {
  const send: Send = async (type, { method, path, headers, ...rest }) => {
    const requestId = randomUUID();
    const write: Write = { type, isAcknowledged: false };
    ledger.set(requestId, write);
    const response = await api.request(method, path, {
      ...rest,
      headers: { ...headers, 'x-request-id': requestId },
    });
    onResponse();
    if (response.status === 503) throw new Unavailable(response.text);
    assert.equal(response.status, STATUSES[type], response.text);
    write.isAcknowledged = true;
    return response;
  };
  for (let life = 0; ; life++) {
    try {
      await (life % 3 === 0 ? liveRegistered(send, life) : liveUnclaimed(send, life));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      if (!(error instanceof Unavailable)) return;
    }
  }
}

/** A user registers, logs in, changes their name, and is erased or stays. */
async function liveRegistered(send: Send, life: number): Promise<void> {
  const { name, email, password } = newUserData();
  const registration = { name, email, password };
  const created = await send('user.created', { method: 'POST', path: '/api/register', body: registration });
  const token: string = created.body.access_token;
  const body = { name: `${name} changed` };
  await send('user.updated', { method: 'PATCH', path: '/api/v1/me', token, body });
  const login = { method: 'POST', path: '/api/login' };
  await send('login.succeeded', { ...login, body: { email, password } });
  await send('login.failed', { ...login, body: { email, password: 'a wrong password' } });
  if (life % 2 === 0) return;
  const path = created.headers.get('location')!;
  await send('user.erased', { method: 'DELETE', path, ...editor });
}

/** The administrator creates a user, changes the record, and erases or keeps it. */
async function liveUnclaimed(send: Send, life: number): Promise<void> {
  const { name, email } = newUserData();
  const body = { name, email };
  const created = await send('user.created', { method: 'POST', path: '/api/v1/users', body, ...editor });
  const path = `/api/v1/users/${created.body.data.id}`;
  for (const level of ['member', 'admin', 'member'])
    await send('user.updated', { method: 'PATCH', path, body: { level }, ...editor });
  if (life % 2 === 0) await send('user.erased', { method: 'DELETE', path, ...editor });
}

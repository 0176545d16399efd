/** What examples/backend sends to the service, which requests it rejects, and whose limits count. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Agent, fetch as fetchFrom } from 'undici';
import { createBackend } from '../../examples/backend/server.ts';
import { createCredential } from '../support/credentials.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { admin, newUserData, openService } from '../support/service.ts';

const CREDENTIAL = 'fd_svc_credential-of-the-backend';

/** Starts a service, and returns its client and a credential for the backend. */
async function startFrontdesk(context: TestContext, environment: Record<string, string> = {}) {
  const service = await openService(context, 'sqlite', { environment });
  const { secret, path } = await createCredential(service, ['clients:forward']);
  return { api: service.api, secret, path };
}

async function startBackend(context: TestContext, url: string, credential: string): Promise<string> {
  const server = createBackend({ url, credential, isSecure: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });

test('examples/backend sends the address of the browser and its credential with a login', async (context) => {
  const body = '{"error":"Invalid credentials","code":"invalid_login"}';
  const response = `HTTP/1.1 401 Unauthorized\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const receiver = await startReceiver(respondWith(response));
  context.after(receiver.close);
  const backend = await startBackend(context, receiver.url, CREDENTIAL);
  const { status } = await post(
    `${backend}/login`,
    { email: 'ada@example.com', password: 'p' },
    { 'x-forwarded-for': '192.0.2.1', 'user-agent': 'Browser/1' },
  );
  assert.equal(status, 422);
  const [request] = receiver.requests;
  assert.equal(request!.start, 'POST /api/login HTTP/1.1');
  assert.equal(request!.headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(request!.headers['frontdesk-user-agent'], 'Browser/1');
  assert.equal(request!.headers['frontdesk-credential'], CREDENTIAL);
});

test('examples/backend rejects a login that a page of another origin sends, and starts a session with a secure cookie for its own', async (context) => {
  const { api, secret } = await startFrontdesk(context);
  const backend = await startBackend(context, api.url, secret);
  const { name, email, password } = newUserData();
  await api.post('/api/register', { name, email, password });
  const logIn = (headers: Record<string, string>) => post(`${backend}/login`, { email, password }, headers);
  assert.equal((await post(`${backend}/login`, { email: 'a'.repeat(5_000_000) })).status, 413);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: backend },
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
  ] as Record<string, string>[]) {
    const response = await logIn(headers);
    assert.deepEqual([response.status, response.headers.get('set-cookie')], [403, null]);
  }
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: backend }] as Record<
    string,
    string
  >[]) {
    const { status, headers: received } = await logIn(headers);
    assert.equal(status, 303);
    const cookie = received.get('set-cookie')!;
    assert.match(cookie, /^__Host-session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const home = await fetch(backend, { headers: { cookie: cookie.split(';')[0]! } });
    assert.match(await home.text(), new RegExp(`<h1>${name}</h1>`));
  }
});

test('examples/backend ends the session whose token was revoked', async (context) => {
  const { api, secret } = await startFrontdesk(context);
  const backend = await startBackend(context, api.url, secret);
  const { name, email, password } = newUserData();
  const { body } = await api.post('/api/register', { name, email, password });
  const { headers } = await post(`${backend}/login`, { email, password });
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  await api.delete('/api/v1/tokens?except=current', { token: body.access_token });
  const home = await fetch(backend, { headers: { cookie } });
  assert.match(await home.text(), /You were logged out\./);
  assert.match(home.headers.get('set-cookie')!, /^__Host-session=; Max-Age=0/);
});

test('examples/backend keeps the session while the service does not accept its own credential', async (context) => {
  const { api, secret, path } = await startFrontdesk(context);
  const backend = await startBackend(context, api.url, secret);
  const { name, email, password } = newUserData();
  await api.post('/api/register', { name, email, password });
  const login = await post(`${backend}/login`, { email, password });
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  await api.delete(path, admin);
  const { status, headers } = await fetch(backend, { headers: { cookie } });
  assert.deepEqual([status, headers.get('set-cookie')], [503, null]);
});

test('examples/backend lets the login limit of one person not count for another', async (context) => {
  const limits = { RATE_LIMITS: 'on', RATE_LIMIT_LOGIN: '2/3600' };
  const { api, secret } = await startFrontdesk(context, limits);
  const backend = await startBackend(context, api.url, secret);
  const logInFrom = async (localAddress: string) => {
    const dispatcher = new Agent({ localAddress });
    const body = new URLSearchParams({ email: 'nobody@example.com', password: 'wrong password' });
    const { status } = await fetchFrom(`${backend}/login`, { method: 'POST', body, dispatcher });
    await dispatcher.close();
    return status;
  };
  const statuses: number[] = [];
  for (const address of ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2'])
    statuses.push(await logInFrom(address));
  assert.deepEqual(statuses, [422, 422, 429, 422]);
});

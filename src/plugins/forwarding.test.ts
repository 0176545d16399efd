import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createCredential } from '../../test/support/credentials.ts';
import { numberAllEvents } from '../../test/support/events.ts';
import { limited, newClientIp } from '../../test/support/limits.ts';
import { describeOnSqlite } from '../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, useService } from '../../test/support/service.ts';
import { until } from '../../test/support/until.ts';
import { insertLoggedInUser, register } from '../../test/support/users.ts';
import { newCredential } from '../lib/secrets/tokens.ts';
import { Problem } from '../problems/problem.ts';
import { readForwardedIp } from './forwarding.ts';

const USERS = '/api/v1/users';
const UNTRUSTED = { TRUST_PROXY: '', EVENTS_ADDRESS: 'full' };

type Headers = Record<string, string>;

/** Returns the requests that the client of a suite sends. */
function useForwarding(service: ReturnType<typeof useService>) {
  let secret: string;
  before(async () => {
    ({ secret } = await createCredential(service, ['clients:forward']));
  });
  const forward = (clientIp: string, more: Headers = {}): Headers => ({
    'frontdesk-credential': secret,
    'x-forwarded-for': clientIp,
    ...more,
  });
  const list = (headers: Headers, token?: string) =>
    service.api.get(USERS, { headers, ...(token === undefined ? {} : { token }) });
  /** Requests that the client with these headers may still send, after this one. */
  const countRemaining = async (headers: Headers) =>
    Number((await list(headers)).headers.get('x-ratelimit-remaining'));
  return { forward, list, countRemaining };
}

describeOnSqlite('requests that forward their client', (engine) => {
  const service = useService(engine, limited(UNTRUSTED));
  const { forward, list, countRemaining } = useForwarding(service);

  test('requests that forward their client are counted under its address, the last one, and not under that of the sender', async () => {
    const [one, two] = [newClientIp(), newClientIp()];
    assert.equal(await countRemaining(forward(one)), 119);
    assert.equal(await countRemaining(forward(`${two}, ${one}`)), 118);
    const { 'x-forwarded-for': _, ...credential } = forward(one);
    assert.equal(await countRemaining({ ...credential, forwarded: `for=${two}, for="${one}:80"` }), 117);
    assert.equal(await countRemaining(forward(two)), 119);
    const { status, headers } = await list({});
    assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [200, '119']);
  });

  test('requests that name another client without a credential are those of their sender', async () => {
    const before = await countRemaining({});
    const named = { 'x-forwarded-for': newClientIp(), forwarded: `for=${newClientIp()}` };
    assert.equal(await countRemaining({ ...named, 'frontdesk-user-agent': 'other' }), before - 1);
  });

  test('requests that forward their client keep the token of the user', async () => {
    const { token } = await insertLoggedInUser(service.database);
    const headers = forward(newClientIp());
    assert.equal((await service.api.get('/api/v1/me', { token, headers })).status, 200);
    assert.equal((await service.api.get('/api/v1/me', { headers })).status, 401);
  });

  test('requests that forward their client are the last use of the credential, also if they fail', async () => {
    const { secret, path } = await createCredential(service, ['clients:forward']);
    const headers = forward(newClientIp(), { 'frontdesk-credential': secret });
    assert.equal((await service.api.get('/api/v1/me', { headers })).status, 401);
    const isUsed = async () => {
      const { body } = await service.api.get(path, admin);
      return body.data.last_used_at !== null;
    };
    await until(isUsed, 'the use of the credential is written');
  });

  test('requests that forward their client have its address and user agent in events and in the device of the token', async () => {
    const user = await register(service);
    const clientIp = '2001:db8:7::1';
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
    const headers = forward(`[${clientIp}]:4711`, { 'frontdesk-user-agent': agent });
    const { email, password } = user;
    const login = await service.api.post('/api/v1/login', { email, password }, { headers });
    assert.equal(login.status, 200);
    const { body } = await service.api.get('/api/v1/tokens', { token: login.body.access_token });
    assert.deepEqual([body.data[0].device, body.data[0].network], ['Firefox on Linux', clientIp]);
    await numberAllEvents(service.database);
    const path = `/api/v1/events?subject=user:${user.id}`;
    const events = await service.api.get(path, admin);
    const text = JSON.stringify(events.body.data);
    assert.ok(text.includes(clientIp) && text.includes('Firefox on Linux'), text);
  });

  test('requests that forward their client let failed logins lock out the client, and no other one', async () => {
    const { email, password } = await register(service);
    const [one, two] = [newClientIp(), newClientIp()];
    const logIn = async (clientIp: string, tried: string) =>
      (await service.api.post('/api/v1/login', { email, password: tried }, { headers: forward(clientIp) }))
        .status;
    for (let attempt = 0; attempt < 5; attempt++) assert.equal(await logIn(one, 'wrong password'), 401);
    assert.equal(await logIn(one, password), 429);
    assert.equal(await logIn(two, password), 200);
  });

  test('requests that forward their client need the scope clients:forward', async () => {
    const { secret } = await createCredential(service, ['users:read', 'tokens:verify']);
    const { status, headers, body } = await list(
      forward(newClientIp(), { 'frontdesk-credential': secret }),
      ADMIN_TOKEN,
    );
    assert.deepEqual([status, body.code], [403, 'insufficient_scope']);
    assert.match(headers.get('www-authenticate')!, /scope="clients:forward"/);
    assert.equal(await countRemaining(forward(newClientIp(), { 'frontdesk-credential': ADMIN_TOKEN })), 119);
  });

  test('requests that forward an address into the networks of a credential cannot use it', async () => {
    const networks = ['192.0.2.0/24'];
    const forwarder = await createCredential(service, ['clients:forward'], { networks });
    const headers = forward('192.0.2.7', { 'frontdesk-credential': forwarder.secret });
    assert.equal((await list(headers)).status, 401);
    const reader = await createCredential(service, ['users:read'], { networks });
    assert.equal((await list(forward('192.0.2.7'), reader.secret)).status, 401);
    const local = await createCredential(service, ['clients:forward'], { networks: ['127.0.0.0/8'] });
    assert.equal((await list(forward('192.0.2.8', { 'frontdesk-credential': local.secret }))).status, 200);
  });
});

describeOnSqlite('requests with a wrong credential that forward a client', (engine) => {
  const service = useService(engine, limited(UNTRUSTED));
  const { forward, list } = useForwarding(service);

  test('requests with a wrong credential that forward a client are rejected, and counted under the address of their sender', async () => {
    const { secret } = await createCredential(service, ['clients:forward']);
    const wrong = ['', 'wrong', newCredential(), `${secret}, ${secret}`, `Bearer ${secret}`];
    const send = (credential: string) =>
      list(forward(newClientIp(), { 'frontdesk-credential': credential }), ADMIN_TOKEN);
    for (const credential of [...wrong, ...wrong]) {
      const { status, headers, body } = await send(credential);
      assert.deepEqual([status, body.error], [401, 'Frontdesk-Credential is invalid'], credential);
      assert.match(headers.get('www-authenticate')!, /error="invalid_token"/);
    }
    const { status, body } = await send(newCredential());
    assert.deepEqual([status, body.code], [429, 'rate_limited_admin_fail']);
    assert.equal((await send(secret)).status, 200);
    assert.equal((await list(forward(newClientIp()), 'wrong')).status, 401, 'the client has an own limit');
    assert.equal((await list({}, 'wrong')).status, 429);
    const response = await fetch(`${service.api.url}/api/v1/login`, {
      method: 'POST',
      headers: forward(newClientIp(), { 'frontdesk-credential': 'wrong' }),
    });
    assert.equal(response.status, 429, 'also on public operations');
  });
});

describeOnSqlite('requests that forward their client through a trusted proxy', (engine) => {
  const service = useService(engine, limited({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' }));
  const { forward, countRemaining, list } = useForwarding(service);

  test('requests that forward their client through trusted proxies are counted under the entry before that of the sender', async () => {
    const [clientIp, sender, other] = [newClientIp(), newClientIp(), newClientIp()];
    assert.equal(await countRemaining(forward(`${other}, ${clientIp}, ${sender}, 10.0.0.1`)), 119);
    assert.equal(await countRemaining(forward(`${clientIp}, ${sender}`)), 118);
    assert.equal(await countRemaining(forward(sender, { forwarded: `for=${clientIp}` })), 117);
    assert.equal(await countRemaining({ 'x-forwarded-for': `${clientIp}, ${sender}` }), 119);
  });

  test('requests that forward their client through a trusted proxy need a credential that is valid for their sender', async () => {
    const sender = newClientIp();
    const { secret, path } = await createCredential(service, ['clients:forward'], { networks: [sender] });
    const send = async (forwardedFor: string) =>
      (await list(forward(forwardedFor, { 'frontdesk-credential': secret }))).status;
    assert.equal(await send(`${newClientIp()}, ${sender}`), 200);
    assert.equal(await send(`${sender}, ${newClientIp()}`), 401);
    await service.api.delete(path, admin);
    assert.equal(await send(`${newClientIp()}, ${sender}`), 401);
  });

  test('requests that forward their client from an address in TRUST_PROXY need Forwarded, as the error of X-Forwarded-For says', async () => {
    const clientIp = newClientIp();
    const { status, body } = await list(forward(clientIp));
    assert.deepEqual([status, body.code], [400, 'malformed_request']);
    assert.match(body.error, /in TRUST_PROXY must send Forwarded$/);
    const networks = ['127.0.0.0/8'];
    const { secret } = await createCredential(service, ['clients:forward'], { networks });
    const headers = { 'frontdesk-credential': secret, forwarded: `for=${clientIp}` };
    assert.equal(await countRemaining(headers), 119);
    assert.equal(await countRemaining({ ...headers, 'x-forwarded-for': '127.0.0.1' }), 118, 'by a proxy');
  });
});

const read = (headers: Record<string, string>, proxies = 0) => readForwardedIp(headers, proxies);

describe('readForwardedIp', () => {
  const accepted: readonly [text: string, expected: string][] = [
    ['for=192.0.2.7', '192.0.2.7'],
    ['For="192.0.2.7:4711";proto=https;by=203.0.113.1', '192.0.2.7'],
    ['proto=http;for="[2001:DB8:0::7]"', '2001:db8::7'],
    ['for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['for="[::ffff:192.0.2.7]"', '192.0.2.7'],
    ['for=198.51.100.1, for=_hidden, for=192.0.2.7', '192.0.2.7'],
    ['for=198.51.100.1;ext="a, for=198.51.100.2", for=192.0.2.7', '192.0.2.7'],
  ];
  for (const [forwarded, expected] of accepted)
    test(`readForwardedIp reads the address of "Forwarded: ${forwarded}"`, () =>
      assert.equal(read({ forwarded }), expected));

  const forwardedFor: readonly [text: string, proxies: number, expected: string][] = [
    ['192.0.2.7', 0, '192.0.2.7'],
    ['198.51.100.1, junk,192.0.2.7:80', 0, '192.0.2.7'],
    ['198.51.100.1,[2001:db8::7]:80, ,', 0, '2001:db8::7'],
    ['2001:db8::7', 0, '2001:db8::7'],
    ['198.51.100.1, 192.0.2.7, 10.0.0.1, 10.0.0.2', 2, '192.0.2.7'],
  ];
  for (const [text, proxies, expected] of forwardedFor)
    test(`readForwardedIp reads the address of "X-Forwarded-For: ${text}" before ${proxies} of proxies`, () =>
      assert.equal(read({ 'x-forwarded-for': text }, proxies), expected));

  const xff = 'x-forwarded-for';
  const rejected: readonly [Record<string, string>, RegExp, number?][] = [
    [{}, /is required/],
    [{ [xff]: '' }, /is required/],
    [{ [xff]: '10.0.0.1' }, /in TRUST_PROXY must send Forwarded/, 1],
    [{ [xff]: '192.0.2.7', forwarded: 'for=192.0.2.7' }, /cannot be combined/],
    [{ [xff]: '192.0.2.7, unknown' }, /X-Forwarded-For must end with an IP address/],
    [{ [xff]: '192.0.2.7, 0x7f.1' }, /must end with an IP address/],
    [{ [xff]: '192.0.2.256' }, /must end with an IP address/],
    [{ [xff]: '192.0.2.7:http' }, /must end with an IP address/],
    [{ [xff]: 'fe80::1%eth0' }, /must end with an IP address/],
    [{ forwarded: '' }, /Forwarded is malformed/],
    [{ forwarded: 'for=2001:db8::7' }, /Forwarded is malformed/],
    [{ forwarded: 'for="192.0.2.7' }, /Forwarded is malformed/],
    [{ forwarded: 'for=198.51.100.1;x=", for="[2001:db8::7]"' }, /Forwarded is malformed/],
    [{ forwarded: 'for=192.0.2.7, proto=https' }, /Forwarded has no for/],
    [{ forwarded: 'for=192.0.2.7, __proto__=a' }, /Forwarded has no for/],
    [{ forwarded: 'for=192.0.2.7, for=unknown' }, /Forwarded must end with an IP address/],
    [{ forwarded: 'for=_hidden' }, /Forwarded must end with an IP address/],
    [{ forwarded: 'for="192.0.2.7:_port"' }, /Forwarded must end with an IP address/],
  ];
  for (const [headers, message, proxies] of rejected)
    test(`readForwardedIp rejects ${JSON.stringify(headers)} with ${proxies ?? 0} proxies`, () =>
      assert.throws(
        () => read(headers, proxies),
        (error) => error instanceof Problem && error.status === 400 && message.test(error.text),
      ));
});

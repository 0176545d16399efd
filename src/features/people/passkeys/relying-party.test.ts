import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApi } from '../../../../test/support/api.ts';
import {
  createAuthenticator,
  createPasskeyClient,
  LOGIN,
  ORIGIN,
} from '../../../../test/support/passkeys.ts';
import { sendRawOnce } from '../../../../test/support/raw-http.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { openService, type TestService, useSharedService } from '../../../../test/support/service.ts';

describeOnSqlite('passkeys without PUBLIC_URL', (engine) => {
  const service = useSharedService(engine);
  const getLocal = (): TestService => ({
    ...service,
    api: createApi(service.api.url.replace('127.0.0.1', 'localhost')),
  });

  test('a passkey can be made and used at localhost, with the port at which the service listens', async () => {
    const local = getLocal();
    const client = createPasskeyClient(local);
    const [rpId, origin] = ['localhost', local.api.url];
    const person = await client.newPerson(createAuthenticator({ rpId, origin }));
    assert.equal(person.passkey.rp_id, 'localhost');
    assert.equal((await client.signIn(person)).status, 200);
    const { port } = new URL(origin);
    for (const other of [
      `http://localhost:${Number(port) - 1}`,
      'http://localhost',
      `https://localhost:${port}`,
    ])
      assert.equal((await client.signIn(person, { client: { origin: other } })).status, 401, other);
  });

  test('a request with another Host gets no options, whatever it names besides', async () => {
    const { port } = new URL(service.api.url);
    for (const host of [
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'example.com',
      `localhost.example.com:${port}`,
    ]) {
      const more = `x-forwarded-host: localhost\r\ncontent-type: application/json\r\ncontent-length: 2`;
      const head = `POST ${LOGIN}/options HTTP/1.1\r\nhost: ${host}\r\n${more}\r\nconnection: close`;
      const { status, text } = await sendRawOnce(service.api.url, `${head}\r\n\r\n{}`);
      assert.deepEqual([status, JSON.parse(text).code], [403, 'passkeys_unavailable'], host);
    }
  });
});

describeOnSqlite('the relying party of passkeys', (engine) => {
  /** Starts a service until the test has ended. */
  const start = async (
    context: { after(work: () => unknown): void },
    environment: Record<string, string>,
  ) => {
    const service = await openService(context, engine, { environment });
    return { service, client: createPasskeyClient(service) };
  };

  test('a service with an IP address or without TLS has no passkeys', async (context) => {
    for (const PUBLIC_URL of ['https://192.0.2.1', 'http://accounts.example.com']) {
      const { service } = await start(context, { PUBLIC_URL });
      const { status, body } = await service.api.post(`${LOGIN}/options`, {});
      assert.deepEqual([status, body.code], [403, 'passkeys_unavailable'], PUBLIC_URL);
    }
  });

  test('related origins use the passkeys of the domain, and browsers can read them', async (context) => {
    const [RP_ID, related] = ['example.org', 'https://app.example.net'];
    const environment = { PUBLIC_URL: 'https://accounts.example.org', RP_ID, PASSKEY_ORIGINS: related };
    const { service, client } = await start(context, environment);
    const list = await service.api.get('/.well-known/webauthn');
    assert.deepEqual([list.status, list.body], [200, { origins: [related] }]);
    assert.match(list.headers.get('content-type')!, /^application\/json/);
    const authenticator = createAuthenticator({ rpId: RP_ID, origin: related });
    const person = await client.newPerson(authenticator);
    for (const [origin, status] of [
      [related, 200],
      ['https://accounts.example.org', 200],
      ['https://example.org', 401],
      ['https://evil.example.org', 401],
    ] as const)
      assert.equal((await client.signIn(person, { client: { origin } })).status, status, origin);
  });

  test('a service without related origins has no list of them', async (context) => {
    const { service } = await start(context, { PUBLIC_URL: ORIGIN });
    assert.equal((await service.api.get('/.well-known/webauthn')).status, 404);
  });
});

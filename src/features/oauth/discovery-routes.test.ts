import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService, useSharedService } from '../../../test/support/service.ts';

const PATH = '/.well-known/openid-configuration';

describeOnSqlite('configuration of OpenID Connect', (engine) => {
  const local = useSharedService(engine);
  const service = useService(engine, { environment: { PUBLIC_URL: 'https://example.com/accounts/' } });

  test('the issuer is PUBLIC_URL, and all endpoints are below it and exist', async () => {
    const { body } = await service.api.get(PATH);
    assert.equal(body.issuer, 'https://example.com/accounts');
    const urls = Object.entries<string>(body).filter(([name]) => /_endpoint$|_uri$/.test(name));
    assert.equal(urls.length, 8);
    for (const [name, url] of urls) {
      assert.ok(url.startsWith(`${body.issuer}/`), name);
      const { status } = await service.api.request('OPTIONS', url.slice(body.issuer.length));
      assert.equal(status, 204, url);
    }
  });

  test('the metadata of an authorization server by RFC 8414 are the same document', async () => {
    const { body } = await service.api.get(PATH);
    assert.deepEqual((await service.api.get('/.well-known/oauth-authorization-server')).body, body);
    assert.deepEqual(body.prompt_values_supported, ['none', 'login', 'create', 'consent', 'select_account']);
  });

  test('without PUBLIC_URL, the issuer is the origin of a request on this machine, and there is none for others', async () => {
    assert.equal((await local.api.get(PATH)).body.issuer, local.api.url);
    const request = String(rawRequest('GET', PATH)).replace(/Host: [^\r]*/i, 'Host: evil.example');
    assert.equal((await sendRawOnce(local.api.url, Buffer.from(request))).status, 403);
  });
});

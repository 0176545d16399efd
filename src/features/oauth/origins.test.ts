import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApplication } from '../../../test/support/applications.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { useService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';

const ORIGIN = 'https://page.example.com';

describeOnSqlite('endpoints for pages of applications', (engine) => {
  const service = useService(engine);
  const send = (method: string, path: string, origin: string) =>
    service.api.request(method, path, { headers: { origin, 'sec-fetch-site': 'cross-site' } });

  test('pages on the origins of redirect URIs may read tokens and claims, errors included, and others not', async () => {
    await createApplication(service, { kind: 'public', redirect_uris: [`${ORIGIN}/`, 'com.example.app:/x'] });
    for (const [method, path, status] of [
      ['POST', '/oauth/token', 401],
      ['GET', '/oauth/userinfo', 401],
      ['OPTIONS', '/oauth/token', 204],
      ['OPTIONS', '/oauth/userinfo', 204],
      ['OPTIONS', '/oauth/revoke', 204],
    ] as const) {
      const response = await send(method, path, ORIGIN);
      assert.equal(response.status, status, `${method} ${path}`);
      assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
      assert.match(response.headers.get('vary')!, /\bOrigin\b/);
      assert.match(response.headers.get('access-control-expose-headers')!, /Retry-After/);
      if (status === 401) {
        assert.equal(response.headers.get('cache-control'), 'no-store');
        assert.match(response.headers.get('www-authenticate')!, /^(?:Basic|Bearer) /);
      } else {
        const { headers } = await service.api.request(method, path, {
          headers: {
            origin: ORIGIN,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,x-client-name',
          },
        });
        assert.match(headers.get('access-control-allow-methods')!, /\bPOST\b/);
        assert.equal(headers.get('access-control-allow-headers'), 'authorization,x-client-name');
        assert.equal(headers.get('allow'), headers.get('access-control-allow-methods'));
      }
      const credentials = response.headers.get('access-control-allow-credentials');
      assert.equal(credentials, path === '/oauth/token' ? 'true' : null);
      for (const other of ['https://evil.example', 'null', `${ORIGIN}.evil.example`]) {
        const { headers } = await send('OPTIONS', path, other);
        assert.equal(headers.get('access-control-allow-origin'), null);
      }
    }
  });

  test('a public application on localhost has pages on every port of it, and a web application not', async () => {
    const isAllowed = async (origin: string) => {
      const { headers } = await service.api.request('OPTIONS', '/oauth/token', { headers: { origin } });
      return headers.has('access-control-allow-origin');
    };
    await createApplication(service, { redirect_uris: ['http://localhost:4000/'] });
    await until(() => isAllowed('http://localhost:4000'), 'the origin is allowed');
    assert.ok(!(await isAllowed('http://localhost:4001')));
    await createApplication(service, { kind: 'public', redirect_uris: ['http://localhost/'] });
    await until(() => isAllowed('http://localhost:5173'), 'the origin is allowed');
  });

  test('every page may read the configuration and the keys', async () => {
    const documents = ['openid-configuration', 'oauth-authorization-server', 'jwks.json'];
    for (const path of documents.map((name) => `/.well-known/${name}`)) {
      const { status, headers } = await send('GET', path, 'https://anywhere.example');
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, '*']);
      const preflight = await service.api.request('OPTIONS', path, {
        headers: {
          origin: 'https://anywhere.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization,x-okta-user-agent-extended',
        },
      });
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      const allowed = preflight.headers.get('access-control-allow-headers');
      assert.equal(allowed, 'authorization,x-okta-user-agent-extended');
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '../../../test/support/api.ts';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  newClientIp,
} from '../../../test/support/limits.ts';
import { routes } from '../../../test/support/routes.ts';
import { ADMIN_TOKEN, startService, type TestService, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';

/** One request that each limit counts. */
const requests: Record<string, (service: TestService, request: ApiRequest) => Promise<unknown>> = {
  anon: ({ api }, request) => api.get('/api/v1/users', request),
  create: ({ api }, request) => api.post('/api/v1/users', {}, request),
  register: ({ api }, request) => api.post('/api/register', {}, request),
  login: ({ api }, request) => api.post('/api/login', {}, request),
  documents: ({ api }, request) => api.get('/sign-in', request),
};

/** Limits over longer periods that count the same requests. */
const LONGER_LIMITS: Record<string, string> = {
  create: '"create-hour";q=200;w=3600, "create-day";q=500;w=86400',
  register: '"register-hour";q=200;w=3600',
};

async function getHeaders(
  service: TestService,
  name: string,
  request = fromIp(newClientIp()),
): Promise<Headers> {
  return ((await requests[name]!(service, request)) as { headers: Headers }).headers;
}

describe('rate limit settings', () => {
  const names = Object.keys(requests);

  test('RATE_LIMITS=off turns off all limits and their headers', async () => {
    const service = await startService('sqlite', limited({ RATE_LIMITS: 'off', RATE_LIMIT_ANON: '1/60' }));
    const client = fromIp(newClientIp());
    for (const name of [...names, ...names]) assertNoLimitFields(await getHeaders(service, name, client));
    const { token } = await insertLoggedInUser(service.service.database);
    assertNoLimitFields((await service.api.get('/api/v1/me', { token })).headers);
    for (let attempt = 0; attempt < 12; attempt++) {
      const { status } = await service.api.get('/api/v1/admin/dashboard', { token: 'wrong' });
      assert.equal(status, 401);
    }
    await service.stop();
  });

  for (const name of names) {
    test(`RATE_LIMIT_${name.toUpperCase()} sets the figures of its limit, and off turns off only that limit`, async () => {
      const variable = `RATE_LIMIT_${name.toUpperCase()}`;
      const set = await startService('sqlite', limited({ [variable]: '7/90' }));
      const [policy, state] = limitFields(await getHeaders(set, name));
      assert.match(policy!, new RegExp(`^"${name}";q=7;w=90(, |$)`));
      assert.match(state!, new RegExp(`^"${name}";r=6;t=13(, |$)`));
      await set.stop();
      const off = await startService('sqlite', limited({ [variable]: 'off' }));
      for (const other of names) {
        const shown = (await getHeaders(off, other)).get('ratelimit-policy');
        if (other === name) assert.equal(shown, LONGER_LIMITS[name] ?? null);
        else assert.match(shown!, new RegExp(`^"${other}";`));
      }
      await off.stop();
    });
  }

  test('RATE_LIMIT_ADMIN_FAIL rejects wrong administrator credentials as soon as it is reached', async () => {
    const service = await startService('sqlite', limited({ RATE_LIMIT_ADMIN_FAIL: '2/60' }));
    const open = (token: string) => service.api.get('/api/v1/admin/dashboard', { token });
    const statuses = [];
    for (const token of ['wrong', ADMIN_TOKEN, 'wrong', 'wrong', ADMIN_TOKEN])
      statuses.push((await open(token)).status);
    assert.deepEqual(statuses, [401, 200, 401, 429, 200]);
    await service.stop();
  });

  test('RATE_LIMIT_ADMIN_FAIL=off counts wrong administrator credentials as anonymous requests', async () => {
    const off = { RATE_LIMIT_ADMIN_FAIL: 'off', RATE_LIMIT_ANON: '2/3600' };
    const service = await startService('sqlite', limited(off));
    const seen = [];
    for (const path of ['/api/v1/admin/dashboard', '/api/v1/users', '/api/v1/users']) {
      seen.push((await service.api.get(path, { token: 'wrong' })).body.code);
    }
    assert.deepEqual(seen, ['unauthorized', 'unauthorized', 'rate_limited_anon']);
    await service.stop();
  });
});

describe('the hourly registration limit', () => {
  const service = useService('sqlite', limited({ RATE_LIMIT_REGISTER_HOUR: '5/3600' }));

  test('the hourly registration limit is in the X-RateLimit headers when it has the fewest remaining requests', async () => {
    const headers = await getHeaders(service, 'register');
    assert.equal(headers.get('x-ratelimit-limit'), '5');
    assert.equal(headers.get('x-ratelimit-remaining'), '4');
    assert.equal(headers.get('ratelimit'), '"register";r=29;t=2, "register-hour";r=4;t=720');
  });
});

describe('operations without rate limits', () => {
  const service = useService('sqlite', limited({ RATE_LIMIT_ANON: '1/3600' }));
  const open = routes.filter(({ limits }) => limits === 'none');
  const health = open.filter(({ path }) => /^\/\w+$/.test(path)).map(({ path }) => path);

  test('all operations have limits but health checks, files of pages, and the sign-in and sign-out of the administrator', () => {
    assert.deepEqual(health.sort(), ['/healthz', '/livez', '/readyz']);
    const others = open
      .filter(({ path }) => !health.includes(path))
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(others.sort(), [
      ...['DELETE /console/session', 'GET /assets/{file}', 'GET /docs/images/{file}', 'GET /embed.js'],
      'POST /console/session',
    ]);
  });

  for (const path of health) {
    test(`GET ${path} is never limited and has no limit headers`, async () => {
      const client = fromIp(newClientIp());
      for (let request = 0; request < 3; request++) {
        const { status, headers } = await service.api.get(path, client);
        assert.equal(status, 200);
        assertNoLimitFields(headers);
      }
    });
  }
});

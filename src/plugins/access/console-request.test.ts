import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { anyUrl } from '../../../test/support/arbitrary-text.ts';
import {
  createCookie,
  FROM_CONSOLE,
  fromConsole,
  SESSION_PATH,
  signIn,
} from '../../../test/support/browser/console-session.ts';
import { keyed, newKey, replayed } from '../../../test/support/keyed.ts';
import { fromIp, limited, newClientIp } from '../../../test/support/limits.ts';
import { routes } from '../../../test/support/routes.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, admin, newUserData, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import type { Access } from '../../callers/callers.ts';
import { checkConsoleRequest } from './console-request.ts';

const LISTED = 'https://app.example.com';
const DASHBOARD = '/api/v1/admin/dashboard';
const REJECTED = 'console_request_rejected';
/** Requests whose responses would not end, if they were accepted. */
const QUERIES: Readonly<Record<string, string>> = { '/api/v1/events/stream': '?cursor=invalid' };

/** Returns one route of each method and access: the rule is the same for all, and docs/routes.txt lists their access. */
const toRoutes = (...access: Access[]) => {
  const chosen = routes
    .filter((route) => access.includes(route.access!) && route.path !== SESSION_PATH)
    .map((route) => ({
      ...route,
      url: route.path.replace(/\{\w+\}/g, 'some-id') + (QUERIES[route.path] ?? ''),
    }));
  return Map.groupBy(chosen, (route) => `${route.access} ${route.method}`)
    .values()
    .map(([first]) => first!);
};

/** Headers besides the cookie, none of which shows that the console sent the request. */
const WITHOUT_PROOF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'without further headers': {},
  'without the header of the console': { 'sec-fetch-site': 'same-origin' },
  'with another value in the header of the console': { ...FROM_CONSOLE, 'x-frontdesk-console': 'true' },
  'of a page on another port of the same host': { ...FROM_CONSOLE, 'sec-fetch-site': 'same-site' },
  'of a page of another site': { ...FROM_CONSOLE, 'sec-fetch-site': 'cross-site' },
  'of a listed origin': { ...FROM_CONSOLE, 'sec-fetch-site': 'cross-site', origin: LISTED },
  'that the user started': { ...FROM_CONSOLE, 'sec-fetch-site': 'none' },
  'with two values of Sec-Fetch-Site': { ...FROM_CONSOLE, 'sec-fetch-site': 'same-origin, same-site' },
  'with another site, from the own origin': {
    ...FROM_CONSOLE,
    'sec-fetch-site': 'same-site',
    origin: 'https://desk.example',
  },
  'of an old browser, without Origin': { 'x-frontdesk-console': '1' },
  'of an old browser, from another port': {
    'x-frontdesk-console': '1',
    origin: 'https://desk.example:8443',
  },
  'of an old browser, without the header of the console': { origin: 'https://desk.example' },
};

describeOnSqlite('requests with the session of the console', (engine) => {
  const environment = { CORS_ORIGINS: LISTED, PUBLIC_URL: 'https://desk.example/accounts' };
  const service = useService(engine, limited(environment));
  let cookie = '';
  before(async () => {
    cookie = await signIn(service);
  });
  /** From a network of its own, so that no limit is used up. */
  const send = async (method: string, url: string, request = {}) => {
    const { status, text, body } = await service.api.request(method, url, fromIp(newClientIp(), request));
    return { status, text, code: body?.code };
  };

  for (const { method, path, url } of toRoutes('admin', 'optional')) {
    test(`${method} ${path} responds to the console as to the administrator credential`, async () => {
      const { status, code } = await send(method, url, admin);
      assert.notEqual(status, 401);
      const old = { headers: { cookie, 'x-frontdesk-console': '1', origin: 'https://desk.example' } };
      for (const request of [fromConsole(cookie), old]) {
        const received = await send(method, url, request);
        assert.deepEqual([received.status, received.code], [status, code]);
      }
    });

    test(`${method} ${path} rejects requests with the cookie that the console did not send with 403`, async () => {
      for (const [title, headers] of Object.entries(WITHOUT_PROOF)) {
        const { status, code } = await send(method, url, { headers: { cookie, ...headers } });
        const isCrossSite = headers['sec-fetch-site'] === 'cross-site' && headers.origin !== LISTED;
        const expected = isCrossSite && method !== 'GET' ? 'cross_site_request' : REJECTED;
        assert.deepEqual([status, code], [403, expected], title);
      }
    });

    test(`${method} ${path} rejects requests of the console without a live session with 401`, async () => {
      for (const ended of [
        undefined,
        await createCookie(service, ''),
        await createCookie(service, 'a'.repeat(43)),
      ]) {
        const { status, code } = await send(method, url, fromConsole(ended));
        assert.deepEqual([status, code], [401, 'unauthorized'], `${ended}`);
      }
    });

    test(`${method} ${path} ignores the cookie of requests with Authorization`, async () => {
      const { token } = await insertLoggedInUser(service.database);
      for (const sent of ['wrong', token]) {
        const { status, code } = await send(method, url, { token: sent });
        for (const headers of [{ ...FROM_CONSOLE, cookie }, { cookie }]) {
          const received = await send(method, url, { token: sent, headers });
          assert.deepEqual([received.status, received.code], [status, code]);
        }
      }
    });
  }

  for (const { method, path, url } of toRoutes('public', 'user')) {
    test(`${method} ${path} ignores the cookie`, async () => {
      const without = await send(method, url);
      for (const request of [fromConsole(cookie), { headers: { cookie } }]) {
        const { status, code } = await send(method, url, request);
        assert.deepEqual([status, code], [without.status, without.code]);
      }
    });
  }

  for (const method of ['GET', 'POST', 'DELETE']) {
    test(`${method} ${SESSION_PATH} is rejected with 403 when another page sent it, and changes nothing`, async () => {
      for (const [title, headers] of Object.entries(WITHOUT_PROOF)) {
        const body = method === 'POST' ? { body: { credential: ADMIN_TOKEN } } : {};
        const request = fromIp(newClientIp(), { ...body, headers: { cookie, ...headers } });
        const response = await service.api.request(method, SESSION_PATH, request);
        assert.equal(response.status, 403, title);
        assert.deepEqual(response.headers.getSetCookie(), [], title);
      }
      assert.equal((await send('GET', DASHBOARD, fromConsole(cookie))).status, 200);
    });
  }

  test('other cookies do not affect console requests, and alone leave a request anonymous', async () => {
    const [own] = cookie.split('=');
    const others = `theme=dark; x${own}=1; ${own}x=1; __Host-frontdesk=2; __Host-frontdesk-00000000=3`;
    assert.equal((await send('GET', '/api/v1/users', { headers: { cookie: others } })).status, 200);
    assert.equal((await send('GET', DASHBOARD, fromConsole(`${others}; ${cookie}; a=b`))).status, 200);
  });

  test('console requests share the idempotency keys of the administrator: a retry with the credential is a replay', async () => {
    const { name, email } = newUserData();
    const key = newKey();
    const first = await service.api.post('/api/v1/users', { name, email }, keyed(key, fromConsole(cookie)));
    assert.deepEqual([first.status, replayed(first)], [201, null]);
    for (const request of [admin, fromConsole(cookie)]) {
      const retry = await service.api.post('/api/v1/users', { name, email }, keyed(key, request));
      assert.deepEqual([retry.status, replayed(retry), retry.text], [201, 'true', first.text]);
    }
  });

  test('rejected console requests are counted as anonymous requests of their network', async () => {
    const request = fromIp(newClientIp(), { headers: { cookie } });
    const statuses = new Set<number>();
    for (let sent = 0; sent < 121; sent++) statuses.add((await service.api.get(DASHBOARD, request)).status);
    assert.deepEqual([...statuses], [403, 429]);
  });

  test('console requests are not allowed to pages of listed origins by CORS', async () => {
    const headers = {
      origin: LISTED,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-frontdesk-console',
    };
    const preflight = await service.api.request('OPTIONS', DASHBOARD, { headers });
    assert.equal(preflight.headers.get('access-control-allow-origin'), LISTED);
    assert.doesNotMatch(preflight.headers.get('access-control-allow-headers')!, /console/i);
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
  });
});

const check = (headers: object, publicUrl: string) => {
  try {
    checkConsoleRequest(headers as Record<string, string>, publicUrl);
    return true;
  } catch (error) {
    assert.equal((error as { code?: string }).code, REJECTED);
    return false;
  }
};

test('checkConsoleRequest accepts the console header with same-origin, or without a site the own origin', () => {
  const header = fc.constantFrom('1', '0', '', '1, 1', undefined);
  const site = fc.oneof(
    fc.constantFrom('same-origin', 'same-site', 'cross-site', 'none', '', undefined),
    fc.string(),
  );
  const origin = fc.oneof(anyUrl, fc.constantFrom('https://desk.example', 'null', '', undefined));
  fc.assert(
    fc.property(header, site, origin, (sent, from, by) => {
      const isOwn = from === undefined ? by === 'https://desk.example' : from === 'same-origin';
      const headers = { 'x-frontdesk-console': sent, 'sec-fetch-site': from, origin: by };
      assert.equal(check(headers, 'https://desk.example/below/a/path'), sent === '1' && isOwn);
    }),
  );
});

for (const [title, headers, isAccepted] of [
  ['of the own origin', { referer: 'https://desk.example/console/users?q=1' }, true],
  ['of another origin', { referer: 'https://desk.example.evil.example/' }, false],
  ['that is no URL', { referer: 'desk.example' }, false],
  ['beside another Origin', { referer: 'https://desk.example/', origin: 'null' }, false],
  ['beside another site', { referer: 'https://desk.example/', 'sec-fetch-site': 'same-site' }, false],
] as const)
  test(`checkConsoleRequest ${isAccepted ? 'accepts' : 'rejects'} a Referer ${title}`, () => {
    assert.equal(check({ 'x-frontdesk-console': '1', ...headers }, 'https://desk.example'), isAccepted);
  });

for (const [host, origin, isAccepted] of [
  ['desk.example', 'https://desk.example', true],
  ['DESK.example', 'https://desk.example', true],
  ['desk.example:8443', 'https://desk.example:8443', true],
  ['desk.example', 'http://desk.example', false],
  ['desk.example', 'https://desk.example:8443', false],
  ['desk.example', 'https://desk.example.evil.example', false],
  ['desk.example', 'https://evil@desk.example', false],
  ['desk.example', 'https://desk.example/', false],
  ['desk.example', 'null', false],
  ['localhost:3000', 'http://localhost:3000', true],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000', true],
  ['[::1]:3000', 'http://[::1]:3000', true],
  ['127.evil.example', 'http://127.evil.example', false],
  ['localhost:3000', 'http://localhost:3001', false],
  ['localhost:3000', 'http://127.0.0.1:3000', false],
  [undefined, 'https://desk.example', false],
] as const) {
  test(`checkConsoleRequest ${isAccepted ? 'accepts' : 'rejects'} the origin ${origin} for the host ${host} without PUBLIC_URL`, () => {
    assert.equal(check({ 'x-frontdesk-console': '1', origin, host }, ''), isAccepted);
  });
}

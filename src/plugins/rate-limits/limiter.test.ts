import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  manualClock,
  newClientIp,
} from '../../../test/support/limits.ts';
import { routes } from '../../../test/support/routes.ts';
import { ADMIN_TOKEN, startService, type TestService, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import type { AdvertisedLimit } from '../../rate-limits/limits.ts';
import { limitHeaders } from './limit-headers.ts';

const ANON = ['"anon";q=120;w=60', '"anon";r=119;t=1', '120', 500] as const;
const LOGIN = ['"login";q=60;w=60', '"login";r=59;t=1', '60', 1000] as const;
const CREATE = '"create";q=60;w=60, "create-hour";q=200;w=3600, "create-day";q=500;w=86400';
const CREATED = '"create";r=59;t=1, "create-hour";r=199;t=18, "create-day";r=499;t=173';
const REGISTER = '"register";q=30;w=60, "register-hour";q=200;w=3600';
const REGISTERED = '"register";r=29;t=2, "register-hour";r=199;t=18';

describe('limit headers', () => {
  const clock = manualClock();
  const service = useService('sqlite', limited({}, { clock }));
  const send = (method: string, path: string, token?: string) => {
    const body = method === 'POST' ? { body: {} } : {};
    const request = fromIp(newClientIp(), { ...body, ...(token === undefined ? {} : { token }) });
    return service.api.request(method, path, request);
  };

  for (const [method, path, policy, state, limit, fullAfterMs] of [
    ['GET', '/api/v1/users', ...ANON],
    ['POST', '/api/v1/form-fields/validate', ...ANON],
    ['POST', '/api/v1/users', CREATE, CREATED, '60', 1000],
    ['POST', '/api/login', ...LOGIN],
    ['POST', '/api/v1/login', ...LOGIN],
    ['POST', '/api/register', REGISTER, REGISTERED, '30', 2000],
    ['GET', '/api/v1/me', ...ANON],
    ['GET', '/api/v1/admin/dashboard', ...ANON],
  ] as const) {
    test(`limit headers describe ${method} ${path} in both families, with the reset in epoch seconds`, async () => {
      const { headers } = await send(method, path);
      const reset = String(Math.ceil((clock.now + fullAfterMs) / 1000));
      assert.deepEqual(limitFields(headers), [policy, state, limit, String(Number(limit) - 1), reset]);
    });
  }

  test('limit headers are not sent to the administrator, who has no limit', async () => {
    for (const path of ['/api/v1/users', '/api/v1/admin/dashboard', '/api/v1/users/unknown'])
      assertNoLimitFields((await send('GET', path, ADMIN_TOKEN)).headers);
    assertNoLimitFields((await send('POST', '/api/v1/users', ADMIN_TOKEN)).headers);
  });

  test('limit headers of a user count per user id from any network, and a created record also per network', async () => {
    const { token } = await insertLoggedInUser(service.database);
    const seen = [];
    for (const [method, path] of [
      ['GET', '/api/v1/me'],
      ['GET', '/api/v1/users'],
      ['POST', '/api/v1/users'],
    ] as const)
      seen.push(limitFields((await send(method, path, token)).headers).slice(0, 4));
    const user = '"user";q=600;w=60';
    assert.deepEqual(seen, [
      [user, '"user";r=599;t=1', '600', '599'],
      [user, '"user";r=598;t=1', '600', '598'],
      [
        `${user}, "write";q=1200;w=60, ${CREATE}`,
        `"user";r=597;t=1, "write";r=1199;t=1, ${CREATED}`,
        '60',
        '59',
      ],
    ]);
  });

  test('limit headers show the limit with the fewest remaining requests in the X-RateLimit family, in any order', () => {
    const now = 1_760_000_000_000;
    const toOutcome = (name: AdvertisedLimit, remaining: number, resetMs: number) => ({
      name,
      quota: { name, limit: 200, windowSeconds: 3600 },
      decision: { allowed: true, remaining, nextSeconds: 18, retryAfterSeconds: 0, resetMs },
    });
    const [many, few] = [toOutcome('register', 29, 2_000), toOutcome('register-hour', 7, 3_474_001)];
    for (const outcomes of [
      [many, few],
      [few, many],
    ]) {
      const headers = limitHeaders(outcomes, now);
      assert.deepEqual(
        ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}` as 'x-ratelimit-limit']),
        ['200', '7', '1760003475'],
      );
    }
    for (const [since, resetMs, shown] of [
      [0, 0, '1760000000'],
      [0, 1, '1760000001'],
      [999, 1, '1760000001'],
      [999, 2, '1760000002'],
    ] as const)
      assert.equal(limitHeaders([toOutcome('anon', 1, resetMs)], now + since)['x-ratelimit-reset'], shown);
  });
});

/** One request that each limit counts. */
const REQUESTS: Readonly<Record<string, readonly [method: string, path: string]>> = {
  anon: ['GET', '/api/v1/users'],
  create: ['POST', '/api/v1/users'],
  register: ['POST', '/api/register'],
  login: ['POST', '/api/login'],
  documents: ['GET', '/sign-in'],
};
describe('rate limit settings', () => {
  const names = Object.keys(REQUESTS);
  const getHeaders = async ({ api }: TestService, name: string, clientIp = newClientIp()) => {
    const [method, path] = REQUESTS[name]!;
    return (await api.request(method, path, fromIp(clientIp, method === 'POST' ? { body: {} } : {}))).headers;
  };
  const withSettings = async (
    settings: Record<string, string>,
    work: (service: TestService) => Promise<void>,
  ) => {
    const service = await startService('sqlite', limited(settings));
    await work(service).finally(() => service.stop());
  };
  const listCodes = async ({ api }: TestService, tokens: readonly string[], paths: readonly string[]) => {
    const codes = [];
    for (const [index, token] of tokens.entries())
      codes.push((await api.get(paths[index % paths.length]!, { token })).body.code ?? 'accepted');
    return codes;
  };
  const DASHBOARD = '/api/v1/admin/dashboard';

  test('RATE_LIMITS=off turns off all limits and their headers', () =>
    withSettings({ RATE_LIMITS: 'off', RATE_LIMIT_ANON: '1/60' }, async (service) => {
      const clientIp = newClientIp();
      for (const name of [...names, ...names]) assertNoLimitFields(await getHeaders(service, name, clientIp));
      const { token } = await insertLoggedInUser(service.database);
      assertNoLimitFields((await service.api.get('/api/v1/me', { token })).headers);
      const wrong = await listCodes(service, Array(12).fill('wrong'), [DASHBOARD]);
      assert.deepEqual(wrong, Array(12).fill('unauthorized'));
    }));

  test('RATE_LIMIT_CREATE sets the figures of its limit, and off turns off only that limit', async () => {
    await withSettings({ RATE_LIMIT_CREATE: '7/90' }, async (service) => {
      const [policy, state] = limitFields(await getHeaders(service, 'create'));
      assert.match(policy!, /^"create";q=7;w=90, /);
      assert.match(state!, /^"create";r=6;t=13, /);
    });
    await withSettings({ RATE_LIMIT_CREATE: 'off' }, async (service) => {
      for (const name of names) {
        const shown = (await getHeaders(service, name)).get('ratelimit-policy');
        assert.match(shown!, new RegExp(`^"${name === 'create' ? 'create-hour' : name}";`));
      }
    });
  });

  test('RATE_LIMIT_ADMIN_FAIL rejects wrong administrator credentials as soon as it is reached', () =>
    withSettings({ RATE_LIMIT_ADMIN_FAIL: '2/60' }, async (service) => {
      const codes = await listCodes(
        service,
        ['wrong', ADMIN_TOKEN, 'wrong', 'wrong', ADMIN_TOKEN],
        [DASHBOARD],
      );
      assert.deepEqual(codes, [
        'unauthorized',
        'accepted',
        'unauthorized',
        'rate_limited_admin_fail',
        'accepted',
      ]);
    }));

  test('RATE_LIMIT_ADMIN_FAIL=off counts wrong administrator credentials as anonymous requests', () =>
    withSettings({ RATE_LIMIT_ADMIN_FAIL: 'off', RATE_LIMIT_ANON: '2/3600' }, async (service) => {
      const codes = await listCodes(service, Array(3).fill('wrong'), [DASHBOARD, '/api/v1/users']);
      assert.deepEqual(codes, ['unauthorized', 'unauthorized', 'rate_limited_anon']);
    }));
});

describe('operations without rate limits', () => {
  test('all operations have limits but health checks, files of pages, and the sign-in and sign-out of the administrator', () => {
    const open = routes
      .filter(({ limits }) => limits === 'none')
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(open.sort(), [
      ...['DELETE /console/session', 'GET /assets/{file}', 'GET /docs/images/{file}', 'GET /embed.js'],
      ...['GET /healthz', 'GET /livez', 'GET /readyz', 'POST /console/session'],
    ]);
  });
});

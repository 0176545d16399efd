import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest, ApiResponse } from '../../../test/support/api.ts';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  manualClock,
  newClientIp,
} from '../../../test/support/limits.ts';
import { admin, newUserData, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { HOUR } from '../../lib/time.ts';

const COUNT = sql<{ count: number }>('select count(*) as count from users');
const PROBLEM_JSON = { headers: { accept: 'application/problem+json' } };

describe('a limit that is used up', () => {
  const service = useService(
    'sqlite',
    limited({
      RATE_LIMIT_ANON: '2/60',
      RATE_LIMIT_USER: '2/90',
      RATE_LIMIT_CREATE: '2/60',
      RATE_LIMIT_REGISTER: '5/60',
      RATE_LIMIT_REGISTER_HOUR: '2/3600',
      RATE_LIMIT_LOGIN: '2/60',
      RATE_LIMIT_DOCUMENTS: '2/60',
    }),
  );
  const byHour = useService('sqlite', limited({ RATE_LIMIT_CREATE_HOUR: '2/3600' }));
  const byDay = useService('sqlite', limited({ RATE_LIMIT_CREATE_DAY: '2/86400' }));
  const post = (path: string, body: unknown, request: ApiRequest) => service.api.post(path, body, request);

  /** Requests that use up each limit, which is two. */
  for (const [name, on, method, path] of [
    ['anon', service, 'GET', '/api/v1/users'],
    ['create', service, 'POST', '/api/v1/users'],
    ['create-hour', byHour, 'POST', '/api/v1/users'],
    ['create-day', byDay, 'POST', '/api/v1/users'],
    ['register-hour', service, 'POST', '/api/register'],
    ['login', service, 'POST', '/api/login'],
    ['user', service, 'GET', '/api/v1/me'],
    ['documents', service, 'GET', '/docs/problems'],
  ] as const) {
    test(`the used-up ${name} limit rejects with 429, its code, Retry-After and the limit headers, in both media types`, async () => {
      const body = method === 'POST' ? { body: {} } : {};
      const token = name === 'user' ? await insertLoggedInUser(service.database) : {};
      const client = fromIp(newClientIp(), { ...body, ...token });
      const send = (request: ApiRequest = client) => on.api.request(method, path, request);
      for (let request = 0; request < 2; request++) assert.notEqual((await send()).status, 429);
      const code = `rate_limited_${name.replaceAll('-', '_')}`;
      const error = 'Too many requests';
      const plain = await send();
      assert.deepEqual([plain.status, plain.body], [429, { error, code }]);
      assert.equal(plain.headers.get('cache-control'), 'no-store');
      assertRetryAfter(plain, name);
      const problem = await send({ ...client, headers: { ...client.headers, ...PROBLEM_JSON.headers } });
      const { instance, ...rest } = problem.body;
      assert.match(problem.headers.get('content-type')!, /^application\/problem\+json\b/);
      assert.deepEqual(rest, {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        ...{ title: error, status: 429, detail: error, code, error },
        'violated-policies': [name],
      });
      assertRetryAfter(problem, name);
    });
  }

  function assertRetryAfter({ headers }: ApiResponse, name: string): void {
    const [policy, state, , remaining] = limitFields(headers);
    assert.match(policy!, new RegExp(`"${name}";q=2`));
    const [, left, next] = new RegExp(`"${name}";r=(\\d+);t=(\\d+)`).exec(state!)!;
    assert.deepEqual([left, remaining], ['0', '0']);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.ok(Number(headers.get('retry-after')) >= Number(next));
  }

  test('a limit that is used up names every violated policy and the longest wait', async () => {
    const client = fromIp(newClientIp(), PROBLEM_JSON);
    let response = await post('/api/register', {}, client);
    for (let request = 0; request < 5; request++) response = await post('/api/register', {}, client);
    assert.equal(response.body.code, 'rate_limited_register_hour');
    assert.deepEqual(response.body['violated-policies'], ['register', 'register-hour']);
    assert.ok(Number(response.headers.get('retry-after')) > 1700);
  });

  test('a rejected request writes nothing', async () => {
    const count = async () => (await service.database.get(COUNT))!.count;
    const before = await count();
    for (const [path, body] of [
      ['/api/v1/users', {}],
      ['/api/register', newUserData()],
    ] as const) {
      const client = fromIp(newClientIp());
      for (let request = 0; request < 2; request++)
        await post(path, path === '/api/register' ? {} : body, client);
      assert.equal((await post(path, body, client)).status, 429);
    }
    assert.equal(await count(), before + 2);
  });

  test('a replayed response is counted like any request', async () => {
    const client = fromIp(newClientIp(), { headers: { 'idempotency-key': newUserData().email } });
    for (const expected of [
      [201, '1', null],
      [201, '0', 'true'],
      [429, '0', null],
    ]) {
      const { status, headers } = await post('/api/v1/users', {}, client);
      const seen = ['x-ratelimit-remaining', 'idempotent-replayed'].map((name) => headers.get(name));
      assert.deepEqual([status, ...seen], expected);
    }
  });

  test('a used-up limit does not reject another client, a user, or the administrator on the same network', async () => {
    const address = newClientIp();
    const { token } = await insertLoggedInUser(service.database);
    const list = (request: ApiRequest) => service.api.get('/api/v1/users', request);
    for (const status of [200, 200, 429]) assert.equal((await list(fromIp(address))).status, status);
    for (const request of [fromIp(newClientIp()), fromIp(address, { token })])
      assert.equal((await list(request)).status, 200);
    for (let request = 0; request < 10; request++) {
      const { status, headers } = await list(fromIp(address, admin));
      assert.equal(status, 200);
      assertNoLimitFields(headers);
    }
  });
});

describe('the limit of anonymous requests over time', () => {
  const clock = manualClock();
  const service = useService('sqlite', limited({ RATE_LIMIT_ANON: '3/60' }, { clock }));

  test('the limit of anonymous requests restores one by one to the millisecond, as the headers announce', async () => {
    const client = fromIp(newClientIp());
    const start = clock.now;
    for (const [at, ...expected] of [
      [0, 200, '"anon";r=2;t=20', 20, null],
      [0, 200, '"anon";r=1;t=20', 40, null],
      [5_000, 200, '"anon";r=0;t=15', 60, null],
      [5_000, 429, '"anon";r=0;t=15', 60, '15'],
      [19_999, 429, '"anon";r=0;t=1', 60, '1'],
      [20_000, 200, '"anon";r=0;t=20', 80, null],
      [20_001, 429, '"anon";r=0;t=20', 80, '20'],
      [79_000, 200, '"anon";r=1;t=1', 100, null],
      [200_000, 200, '"anon";r=2;t=20', 220, null],
    ] as const) {
      clock.now = start + at;
      const { status, headers } = await service.api.get('/api/v1/users', client);
      const [, state, , , reset] = limitFields(headers);
      const seen = [status, state, Number(reset) - start / 1000, headers.get('retry-after')];
      assert.deepEqual(seen, expected, `at ${at} ms`);
    }
  });
});

describe('limits in memory when the wall clock is changed', () => {
  const clock = manualClock();
  const monotonicClock = manualClock(5_000);
  const limits = { RATE_LIMIT_ANON: '3/60', RATE_LIMIT_REGISTER: '3/60' };
  const service = useService('sqlite', limited(limits, { clock, monotonicClock }));

  for (const [name, method, path] of [
    ['anon', 'GET', '/api/v1/users'],
    ['register', 'POST', '/api/register'],
  ] as const) {
    for (const step of [-120_000, -2 * HOUR, 2 * HOUR]) {
      test(`the ${name} limit keeps its remaining requests and waits when the wall clock jumps by ${step} ms`, async () => {
        const request = fromIp(newClientIp(), method === 'POST' ? { body: {} } : {});
        const isLimited = async () => (await service.api.request(method, path, request)).status === 429;
        assert.equal(await isLimited(), false);
        clock.now += step;
        assert.deepEqual([await isLimited(), await isLimited(), await isLimited()], [false, false, true]);
        clock.now += step;
        monotonicClock.now += 19_999;
        assert.equal(await isLimited(), true);
        monotonicClock.now += 1;
        assert.deepEqual([await isLimited(), await isLimited()], [false, true]);
      });
    }
  }

  test('X-RateLimit-Reset is a time of the wall clock', async () => {
    const client = fromIp(newClientIp());
    for (const step of [0, -2 * HOUR, 5 * HOUR]) {
      clock.now += step;
      const { headers } = await service.api.get('/api/v1/users', client);
      const waitMs = (3 - Number(headers.get('x-ratelimit-remaining'))) * 20_000;
      assert.equal(Number(headers.get('x-ratelimit-reset')), (clock.now + waitMs) / 1000);
    }
  });

  test('a failed login waits for one second of the monotonic clock', async () => {
    const body = { email: newUserData().email, password: 'a wrong password' };
    const client = fromIp(newClientIp());
    const logIn = async () => (await service.api.post('/api/login', body, client)).status;
    for (let attempt = 0; attempt < 5; attempt++) assert.equal(await logIn(), 401);
    clock.now += HOUR;
    assert.equal(await logIn(), 429);
    clock.now -= 2 * HOUR;
    monotonicClock.now += 1_000;
    assert.equal(await logIn(), 401);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, ApiResponse } from '../../../test/support/api.ts';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  limitFields,
  newClientIp,
} from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';

const COUNT = sql<{ count: number }>('select count(*) as count from users');
const PROBLEM_JSON = { headers: { accept: 'application/problem+json' } };

describeOnSqlite('a limit that is used up', (engine) => {
  const service = useService(
    engine,
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
  const byHour = useService(engine, limited({ RATE_LIMIT_CREATE_HOUR: '2/3600' }));
  const byDay = useService(engine, limited({ RATE_LIMIT_CREATE_DAY: '2/86400' }));
  const get = (path: string, request: ApiRequest) => service.api.get(path, request);
  const post = (path: string, body: unknown, request: ApiRequest) => service.api.post(path, body, request);

  /** Requests that use up each limit, which is two. */
  const limits: [name: string, send: (request: ApiRequest) => Promise<ApiResponse>][] = [
    ['anon', (request) => get('/api/v1/users', request)],
    ['create', (request) => post('/api/v1/users', {}, request)],
    ['create-hour', (request) => byHour.api.post('/api/v1/users', {}, request)],
    ['create-day', (request) => byDay.api.post('/api/v1/users', {}, request)],
    ['register-hour', (request) => post('/api/register', {}, request)],
    ['login', (request) => post('/api/login', {}, request)],
    ['user', (request) => get('/api/v1/me', request)],
    ['documents', (request) => get('/docs/problems', request)],
  ];
  for (const [name, send] of limits) {
    test(`the used-up ${name} limit rejects with 429, its code, Retry-After and the limit headers, in both media types`, async () => {
      const token =
        name === 'user' ? { token: (await insertLoggedInUser(service.service.database)).token } : {};
      const client = fromIp(newClientIp(), token);
      for (let request = 0; request < 2; request++) assert.notEqual((await send(client)).status, 429);
      const plain = await send(client);
      assert.equal(plain.status, 429);
      const code = `rate_limited_${name.replaceAll('-', '_')}`;
      assert.deepEqual(plain.body, { error: 'Too many requests', code });
      assert.equal(plain.headers.get('cache-control'), 'no-store');
      assertRetryAfter(plain, name);
      const problem = await send({ ...client, headers: { ...client.headers, ...PROBLEM_JSON.headers } });
      const { instance, ...rest } = problem.body;
      assert.match(problem.headers.get('content-type')!, /^application\/problem\+json\b/);
      assert.deepEqual(rest, {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        title: 'Too many requests',
        status: 429,
        detail: 'Too many requests',
        code,
        error: 'Too many requests',
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
    const client = fromIp(newClientIp());
    const count = async () => (await service.service.database.get(COUNT))!.count;
    const before = await count();
    const statuses = [];
    for (let request = 0; request < 4; request++)
      statuses.push((await post('/api/v1/users', {}, client)).status);
    assert.deepEqual(statuses, [201, 201, 429, 429]);
    assert.equal(await count(), before + 2);
    const registrant = fromIp(newClientIp());
    for (let request = 0; request < 2; request++) await post('/api/register', {}, registrant);
    assert.equal((await post('/api/register', newUserData(), registrant)).status, 429);
    assert.equal(await count(), before + 2);
  });

  test('a replayed response is counted like any request', async () => {
    const client = fromIp(newClientIp(), { headers: { 'idempotency-key': newUserData().email } });
    const responses = [];
    for (let request = 0; request < 3; request++) responses.push(await post('/api/v1/users', {}, client));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 429],
    );
    assert.deepEqual(
      responses.map(({ headers }) => headers.get('x-ratelimit-remaining')),
      ['1', '0', '0'],
    );
    assert.deepEqual(
      responses.map(({ headers }) => headers.get('idempotent-replayed')),
      [null, 'true', null],
    );
  });

  test('a used-up limit does not reject another client, a user, or the administrator on the same network', async () => {
    const address = newClientIp();
    const { token } = await insertLoggedInUser(service.service.database);
    const list = (request: ApiRequest) => service.api.get('/api/v1/users', request);
    for (let request = 0; request < 3; request++) await list(fromIp(address));
    assert.equal((await list(fromIp(address))).status, 429);
    assert.equal((await list(fromIp(newClientIp()))).status, 200);
    assert.equal((await list(fromIp(address, { token }))).status, 200);
    for (let request = 0; request < 10; request++) {
      const { status, headers } = await list(fromIp(address, { token: ADMIN_TOKEN }));
      assert.equal(status, 200);
      assertNoLimitFields(headers);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type BareServer, startBareServer } from '../../test/support/bare-server.ts';
import { fromConsole } from '../../test/support/browser/console-session.ts';
import { fromIp, limited, newClientIp } from '../../test/support/limits.ts';
import { pluck } from '../../test/support/pluck.ts';
import { admin, startService } from '../../test/support/service.ts';
import { until } from '../../test/support/until.ts';
import { insertLoggedInUser } from '../../test/support/users.ts';
import { createOverloadRule } from './load-shedding.ts';

const ON = { LOAD_SHEDDING_MS: '500' };
const LIMIT_MS = 30;
const BLOCKED_MS = 70;

/** Blocks the event loop of this process, and leaves the core to others. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Sends requests, 20 at a time, until the returned function is called; it resolves after the last response. */
function flood(send: () => Promise<unknown>): () => Promise<unknown> {
  let isOver = false;
  const repeat = async () => {
    while (!isOver) await send();
  };
  const all = Promise.all(Array.from({ length: 20 }, repeat));
  return () => {
    isOver = true;
    return all;
  };
}

describe('load shedding', () => {
  const samples: readonly [string, (readonly [delayMs: number, requests: number])[], boolean[]][] = [
    [
      'one late sample, such as that of a start',
      [
        [900, 20],
        [0, 20],
        [900, 20],
      ],
      [false, false, false],
    ],
    [
      'a delay beside few requests',
      [
        [900, 15],
        [900, 15],
        [900, 15],
      ],
      [false, false, false],
    ],
    [
      'a delay at the limit',
      [
        [500, 20],
        [500, 20],
      ],
      [false, false],
    ],
    [
      'a delay without requests',
      [
        [900, 0],
        [900, 0],
      ],
      [false, false],
    ],
    [
      'late samples with many requests, from the second to the first other one',
      [
        [900, 16],
        [900, 16],
        [900, 16],
        [900, 0],
      ],
      [false, true, true, false],
    ],
  ];
  for (const [title, given, expected] of samples)
    test(`load shedding decides after each sample of ${title}`, () => {
      const addSample = createOverloadRule(500);
      assert.deepEqual(
        given.map(([delayMs, count]) => addSample(delayMs, count)),
        expected,
      );
    });

  const requests = [
    ['GET', '/api/v1/users', {}],
    ['GET', '/api/v1/users', admin],
    ['POST', '/api/login', { body: {} }],
    ['POST', '/api/v1/form-fields/validate', { body: { fields: [] } }],
    ['GET', '/api/v1/admin/dashboard', { token: 'wrong' }],
    ['GET', '/docs/problems', {}],
    ['GET', '/api/v1/users', { headers: { 'frontdesk-credential': 'wrong' } }],
  ] as const;

  test('load shedding rejects all requests but health checks with 503 and Retry-After while they delay the event loop', async (context) => {
    let isOverloaded = true;
    const { api, stop } = await startService('sqlite', { environment: ON, isOverloaded: () => isOverloaded });
    context.after(stop);
    const responses = await Promise.all(
      requests.map(([method, path, request]) => api.request(method, path, request)),
    );
    const health = await Promise.all(['/livez', '/readyz', '/healthz'].map((path) => api.get(path)));
    for (const { status, headers, body } of responses) {
      assert.equal(status, 503);
      assert.deepEqual(body, { error: 'Service temporarily unavailable', code: 'service_unavailable' });
      assert.equal(headers.get('retry-after'), '1');
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    assert.deepEqual(pluck(health, 'status'), [200, 200, 200]);
    isOverloaded = false;
    assert.equal((await api.get('/api/v1/users')).status, 200);
  });

  const login = { email: 'ada@example.com', password: 'wrong password' };
  const flooded = [
    ['anon', 'GET', '/api/v1/users', {}],
    ['login', 'POST', '/api/login', { body: login }],
    ['create', 'POST', '/api/v1/users', {}],
    ['documents', 'GET', '/openapi.json', {}],
  ] as const;
  test('load shedding counts rejected requests under the limits that need no authentication', async (context) => {
    const limits = Object.fromEntries(
      flooded.map(([name]) => [`RATE_LIMIT_${name.toUpperCase()}`, '3/36000']),
    );
    let isOverloaded = true;
    const settings = limited({ ...ON, RATE_LIMIT_USER: '3/36000', ...limits });
    const service = await startService('sqlite', { ...settings, isOverloaded: () => isOverloaded });
    const { api } = service;
    context.after(service.stop);
    const { token } = await insertLoggedInUser(service.database);
    const getStatus = async (request = {}) =>
      (await api.get('/api/v1/users', fromIp(newClientIp(), request))).status;
    const address = newClientIp();
    for (const [name, method, path, request] of flooded) {
      const send = () => api.request(method, path, fromIp(address, request));
      const codes = (await Promise.all([1, 2, 3, 4, 5].map(send))).map(({ body }) => body.code);
      const [counted, over] = ['service_unavailable', `rate_limited_${name}`];
      assert.deepEqual(codes.sort(), [over, over, counted, counted, counted]);
    }
    const withToken = await Promise.all([1, 2, 3, 4, 5].map(() => getStatus({ token })));
    assert.deepEqual(withToken, [503, 503, 503, 503, 503]);
    const ofConsole = fromIp(newClientIp(), fromConsole());
    const fromPages = await Promise.all([1, 2, 3, 4, 5].map(() => api.get('/api/v1/users', ofConsole)));
    for (const { status } of fromPages) assert.equal(status, 503);
    assert.equal((await api.get('/livez', fromIp(address))).status, 200);
    isOverloaded = false;
    const { headers } = await api.get('/api/v1/users', fromIp(address, { token }));
    assert.match(headers.get('ratelimit')!, /^"user";r=2;/);
    for (const [name, method, path, request] of flooded)
      assert.equal((await api.request(method, path, fromIp(address, request))).status, 429, name);
  });

  const getStatus = async ({ url }: BareServer) => (await fetch(`${url}/thing`)).status;

  test('load shedding accepts requests during a delay of the event loop below its limit, and during any delay when it is off', async (context) => {
    const addThing = (app: FastifyInstance) => {
      app.get('/thing', { config: { access: 'public' } }, async () => ({}));
    };
    const servers = await Promise.all(
      [LIMIT_MS, 60_000, null].map((loadSheddingMs) => startBareServer({ loadSheddingMs }, addThing)),
    );
    const blocking = setInterval(block, 1, BLOCKED_MS);
    const floods = servers.map((server) => flood(() => getStatus(server)));
    context.after(async () => {
      clearInterval(blocking);
      await Promise.all(floods.map((stop) => stop()));
      await Promise.all(servers.map(({ app }) => app.close()));
    });
    const [strict, ...patient] = servers as [BareServer, ...BareServer[]];
    await until(async () => (await getStatus(strict)) === 503, 'the strict server rejects requests');
    for (const server of patient) assert.equal(await getStatus(server), 200);
    clearInterval(blocking);
    // On a busy machine, the floods delay the event loop as well. One request after the other does not, or is too few.
    for (const stop of floods) stop();
    await until(async () => (await getStatus(strict)) === 200, 'the strict server accepts requests again');
  });
});

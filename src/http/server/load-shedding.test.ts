import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_TOKEN, startService } from '../../../test/support/service.ts';

const LIMIT_MS = 50;
const BLOCKED_MS = 120;

/** Keeps everything else in this process from running. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

async function untilCalm(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await condition()) return;
    await pause(20);
  }
  assert.fail('the load is still too high after ten seconds of rest');
}

describe('an overloaded service', () => {
  const requests = [
    ['GET', '/api/v1/users', {}],
    ['GET', '/api/v1/users', { token: ADMIN_TOKEN }],
    ['POST', '/api/login', { body: {} }],
    ['POST', '/api/v1/form-fields/validate', { body: { fields: [] } }],
    ['GET', '/api/v1/admin/dashboard', { token: 'wrong' }],
    ['GET', '/docs/problems', {}],
  ] as const;

  test('turns everything away but health checks, says when to come back, and recovers', async () => {
    const service = await startService('sqlite', { environment: { LOAD_SHEDDING_MS: String(LIMIT_MS) } });
    const { api } = service;
    assert.equal((await api.get('/api/v1/users')).status, 200);
    const blocking = setInterval(block, 1, BLOCKED_MS);
    const isRefused = async () => (await api.get('/api/v1/users')).status === 503;
    await untilCalm(isRefused);
    const answers = await Promise.all(
      requests.map(([method, path, request]) => api.request(method, path, request)),
    );
    const health = await Promise.all(['/livez', '/readyz', '/healthz'].map((path) => api.get(path)));
    clearInterval(blocking);
    for (const { status, headers, body } of answers) {
      assert.equal(status, 503);
      assert.deepEqual(body, { error: 'Service temporarily unavailable', code: 'service_unavailable' });
      assert.equal(headers.get('retry-after'), '1');
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    assert.deepEqual(
      health.map(({ status }) => status),
      [200, 200, 200],
    );
    await untilCalm(async () => !(await isRefused()));
    await service.stop();
  });
});

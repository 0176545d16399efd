import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromIp, limited, limitFields, manualClock, newClientIp } from '../../../test/support/limits.ts';
import { newUserData, type TestService, useService } from '../../../test/support/service.ts';
import { HOUR } from '../../lib/time.ts';

describe('the limit of anonymous requests over time', () => {
  const clock = manualClock();
  const service = useService('sqlite', limited({ RATE_LIMIT_ANON: '3/60' }, { clock }));

  test('the limit of anonymous requests restores one by one to the millisecond, as the headers announce', async () => {
    const client = fromIp(newClientIp());
    const start = clock.now;
    const steps: [at: number, status: number, state: string, reset: number, retry: string | null][] = [
      [0, 200, '"anon";r=2;t=20', 20, null],
      [0, 200, '"anon";r=1;t=20', 40, null],
      [5_000, 200, '"anon";r=0;t=15', 60, null],
      [5_000, 429, '"anon";r=0;t=15', 60, '15'],
      [19_999, 429, '"anon";r=0;t=1', 60, '1'],
      [20_000, 200, '"anon";r=0;t=20', 80, null],
      [20_001, 429, '"anon";r=0;t=20', 80, '20'],
      [79_000, 200, '"anon";r=1;t=1', 100, null],
      [200_000, 200, '"anon";r=2;t=20', 220, null],
    ];
    for (const [at, status, state, reset, retry] of steps) {
      clock.now = start + at;
      const response = await service.api.get('/api/v1/users', client);
      const [, shown, , , shownReset] = limitFields(response.headers);
      const seen = [
        response.status,
        shown,
        Number(shownReset) - start / 1000,
        response.headers.get('retry-after'),
      ];
      assert.deepEqual(seen, [status, state, reset, retry], `at ${at} ms`);
    }
  });
});

describe('limits in memory when the wall clock is changed', () => {
  const clock = manualClock();
  const monotonicClock = manualClock(5_000);
  const service = useService(
    'sqlite',
    limited({ RATE_LIMIT_ANON: '3/60', RATE_LIMIT_REGISTER: '3/60' }, { clock, monotonicClock }),
  );
  const requests: Record<string, (service: TestService, clientIp: string) => Promise<number>> = {
    anon: async ({ api }, clientIp) => (await api.get('/api/v1/users', fromIp(clientIp))).status,
    register: async ({ api }, clientIp) => (await api.post('/api/register', {}, fromIp(clientIp))).status,
  };

  for (const [name, send] of Object.entries(requests)) {
    for (const step of [-120_000, -2 * HOUR, 2 * HOUR]) {
      test(`the ${name} limit keeps its remaining requests and waits when the wall clock jumps by ${step} ms`, async () => {
        const clientIp = newClientIp();
        assert.notEqual(await send(service, clientIp), 429);
        clock.now += step;
        for (let request = 0; request < 2; request++) assert.notEqual(await send(service, clientIp), 429);
        assert.equal(await send(service, clientIp), 429);
        clock.now += step;
        monotonicClock.now += 19_999;
        assert.equal(await send(service, clientIp), 429);
        monotonicClock.now += 1;
        assert.notEqual(await send(service, clientIp), 429);
        assert.equal(await send(service, clientIp), 429);
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
    const { email } = newUserData();
    const clientIp = newClientIp();
    const logIn = async () =>
      (await service.api.post('/api/login', { email, password: 'a wrong password' }, fromIp(clientIp)))
        .status;
    for (let attempt = 0; attempt < 5; attempt++) assert.equal(await logIn(), 401);
    clock.now += HOUR;
    assert.equal(await logIn(), 429);
    clock.now -= 2 * HOUR;
    monotonicClock.now += 1_000;
    assert.equal(await logIn(), 401);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ApiResponse } from '../../../test/support/api.ts';
import { fromIp, limited, limitFields, manualClock } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { type TestService, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { getNetworks } from '../../lib/network.ts';
import type { Quota } from '../../rate-limits/gcra.ts';
import { createLimitStores } from '../../rate-limits/limit-stores.ts';

/** Restored so slowly that the duration of the test does not matter. */
const SLOW = '3/36000';
const ROWS = sql<{ count: number }>('select count(*) as count from rate_limits');
const hex = (number: number) => number.toString(16);

describeOnSqlite('limits of the networks of one IPv6 subscriber', (engine) => {
  const names = ['ANON', 'CREATE', 'REGISTER', 'LOGIN', 'ADMIN_FAIL'];
  const service = useService(
    engine,
    limited(Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name}`, SLOW]))),
  );
  const requests: Record<string, (service: TestService, clientIp: string) => Promise<ApiResponse>> = {
    anon: ({ api }, clientIp) => api.get('/api/v1/users', fromIp(clientIp)),
    create: ({ api }, clientIp) => api.post('/api/v1/users', {}, fromIp(clientIp)),
    register: ({ api }, clientIp) => api.post('/api/register', {}, fromIp(clientIp)),
    login: ({ api }, clientIp) => api.post('/api/login', {}, fromIp(clientIp)),
    'admin-fail': ({ api }, clientIp) => api.get('/api/v1/users', fromIp(clientIp, { token: 'wrong' })),
  };
  let sites = 0;

  for (const [name, send] of Object.entries(requests)) {
    test(`the ${name} limit admits four times the quota in a /56, sixteen times in a /48, and ignores other networks`, async () => {
      const site = `2001:db8:${hex(++sites)}`;
      const isAdmitted = async (subnet: number) =>
        (await send(service, `${site}:${hex(subnet)}::1`)).status !== 429;
      const admitted = async (subnets: readonly number[]) => {
        let count = 0;
        for (const subnet of subnets) if (await isAdmitted(subnet)) count++;
        return count;
      };
      const range = (length: number, step: number) => Array.from({ length }, (_, index) => index * step);
      assert.equal(await admitted([0, 0, 0, 0]), 3);
      assert.equal(await admitted(range(20, 1)), 9);
      assert.equal(await admitted(range(60, 0x100)), 36);
      assert.equal(await isAdmitted(0xffff), false);
      assert.notEqual((await send(service, `2001:db8:${hex(++sites)}::1`)).status, 429);
    });
  }

  test('limits of networks describe the configured quota and the network with the fewest remaining requests', async () => {
    const clientIp = (subnet: number) => `2001:db8:ffff:${hex(subnet)}::1`;
    const seen = async (subnet: number) => {
      const { status, headers } = await requests.login!(service, clientIp(subnet));
      const [policy, state, limit, remaining] = limitFields(headers);
      assert.deepEqual([policy, limit], ['"login";q=3;w=36000', '3']);
      const [, r, t] = /^"login";r=(\d+);t=(\d+)$/.exec(state!)!;
      assert.equal(r, remaining);
      return [status === 429, Number(r), Number(t), headers.get('retry-after')] as const;
    };
    const close = (seconds: number, expected: number) =>
      assert.ok(seconds > expected - 60 && seconds <= expected, `${seconds} instead of ${expected}`);
    // Twelve in the /56: three quarters of an hour, 3,000 s each, until one is restored.
    for (let request = 0; request < 9; request++) {
      const [, r, t] = await seen(request % 3);
      assert.equal(r, 2 - Math.floor(request / 3));
      close(t, 12_000);
    }
    for (const remaining of [2, 1, 0]) {
      const [rejected, r, t] = await seen(4 + remaining);
      assert.deepEqual([rejected, r], [false, remaining]);
      close(t, remaining === 2 ? 12_000 : 3000);
    }
    const [rejected, r, t, retryAfter] = await seen(9);
    assert.deepEqual([rejected, r, retryAfter], [true, 0, String(t)]);
    close(t, 3000);
  });

  test('limits of networks do not count a rejected request for any network, nor store one for it', async () => {
    const clientIp = (subnet: number) => `2001:db8:fffe:${hex(subnet)}::1`;
    const send = async (subnet: number) => (await requests.login!(service, clientIp(subnet))).status !== 429;
    for (let flood = 0; flood < 30; flood++) assert.equal(await send(0), flood < 3);
    for (let subnet = 1; subnet <= 3; subnet++) {
      for (let request = 0; request < 3; request++) assert.equal(await send(subnet), true);
    }
    const rows = async () => (await service.database.get(ROWS))!.count;
    const before = await rows();
    for (let flood = 0; flood < 60; flood++) assert.equal(await send(flood), false);
    assert.equal(await rows(), before);
    for (let request = 0; request < 3; request++) assert.equal(await send(0x100), true);
  });
});

describe('quotas of networks in memory', () => {
  const quotas: fc.Arbitrary<Quota> = fc.record({
    name: fc.constant('any'),
    limit: fc.integer({ min: 1, max: 12 }),
    windowSeconds: fc.constantFrom(1, 60, 3600),
  });
  const groups = fc.array(fc.nat(0xffff).map(hex), { minLength: 4, maxLength: 4 });
  const storesAt = (clock: () => number) =>
    createLimitStores({ sharedLimits: null }, clock, (key) => key).local;

  for (const [prefix, factor, fourth] of [
    ['/56', 4, fc.nat(0xff)],
    ['/48', 16, fc.nat(0xffff)],
  ] as const) {
    test(`quotas in memory admit at most ${factor} times the quota of one ${prefix} at once, and one at a time after it`, () => {
      const addresses = fc.array(fc.tuple(fourth, groups), { minLength: 60, maxLength: 250 });
      fc.assert(
        fc.property(quotas, addresses, (quota, clients) => {
          const clock = manualClock(0);
          const store = storesAt(clock);
          const take = ([subnet, host]: (typeof clients)[number]) =>
            store.take(getNetworks(`2001:db8:1:${hex(subnet)}:${host.join(':')}`), quota).allowed;
          const admitted = clients.filter(take).length;
          assert.ok(admitted <= quota.limit * factor);
          assert.ok(admitted >= Math.min(quota.limit, clients.length));
          clock.now += Math.floor((quota.windowSeconds * 1000) / (quota.limit * factor)) - 1;
          if (admitted === quota.limit * factor) assert.equal(clients.filter(take).length, 0);
        }),
        { numRuns: 15 },
      );
    });
  }

  test('quotas in memory admit the quota of every IPv4 address, however many others of its network send', () => {
    fc.assert(
      fc.property(quotas, fc.uniqueArray(fc.nat(0xff), { minLength: 20 }), (quota, hosts) => {
        const store = storesAt(manualClock(0));
        for (const host of hosts) {
          for (let request = 0; request <= quota.limit; request++) {
            const { allowed } = store.take(getNetworks(`192.0.2.${host}`), quota);
            assert.equal(allowed, request < quota.limit);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test('quotas in memory keep the state of a /48 while its own networks fill the memory', () => {
    const quota: Quota = { name: 'any', limit: 3000, windowSeconds: 86_400 };
    const store = storesAt(manualClock(0));
    const sites = [1, 2, 3].map((site) =>
      Array.from({ length: 20_000 }, (_, subnet) => getNetworks(`2001:db8:${hex(site)}:${hex(subnet)}::1`)),
    );
    const countAdmitted = (site: ReturnType<typeof getNetworks>[]) =>
      site.filter((networks) => store.take(networks, quota).allowed).length;
    const admitted = Array.from({ length: 3 }, () => sites.map(countAdmitted));
    assert.deepEqual(admitted, [Array(3).fill(20_000), Array(3).fill(20_000), Array(3).fill(8000)]);
  });
});

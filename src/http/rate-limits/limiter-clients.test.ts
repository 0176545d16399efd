import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { from, limited } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';

const WARNING = /X-Forwarded-For is ignored/;

describe('X-Forwarded-For', () => {
  const limit = { RATE_LIMIT_ANON: '2/3600' };
  const untrusting = useService('sqlite', { environment: { RATE_LIMITS: 'on', ...limit } });
  const trusting = useService('sqlite', limited(limit));
  const byNetwork = useService('sqlite', limited({ ...limit, TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' }));
  const elsewhere = useService('sqlite', limited({ ...limit, TRUST_PROXY: '10.0.0.1' }));

  async function remaining({ api }: typeof trusting, forwardedFor: string): Promise<string> {
    const { status, headers } = await api.get('/api/v1/users', from(forwardedFor));
    return status === 429 ? 'rejected' : headers.get('x-ratelimit-remaining')!;
  }

  async function requestsFrom(service: typeof trusting, addresses: readonly string[]): Promise<string[]> {
    const seen: string[] = [];
    for (const address of addresses) seen.push(await remaining(service, address));
    return seen;
  }

  test('is ignored when TRUST_PROXY names no proxy, with one warning in the log', async () => {
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    assert.deepEqual(await requestsFrom(untrusting, addresses), ['1', '0', 'rejected', 'rejected']);
    const warnings = untrusting.log.filter(({ msg }) => WARNING.test(String(msg)));
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0]!.level, 40);
  });

  test('is ignored when it comes from a proxy that TRUST_PROXY does not name', async () => {
    assert.deepEqual(await requestsFrom(elsewhere, ['192.0.2.1', '192.0.2.2', '192.0.2.3']), [
      '1',
      '0',
      'rejected',
    ]);
  });

  test('counts each client separately when it comes from a trusted proxy', async () => {
    const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2', '192.0.2.2'];
    assert.deepEqual(await requestsFrom(trusting, addresses), ['1', '0', '1', 'rejected', '0', 'rejected']);
    assert.deepEqual(
      trusting.log.filter(({ msg }) => WARNING.test(String(msg))),
      [],
    );
  });

  test('counts by the nearest address that is no trusted proxy, whatever that client claims', async () => {
    const claims = ['6.6.6.1, 192.0.2.30', '6.6.6.2, 192.0.2.30', '6.6.6.3, 192.0.2.30'];
    assert.deepEqual(await requestsFrom(trusting, claims), ['1', '0', 'rejected']);
  });

  test('is followed through a chain of trusted proxies', async () => {
    const lines = ['192.0.2.40, 10.1.2.3', '192.0.2.40, 10.3.2.1', '192.0.2.41, 10.1.2.3', '192.0.2.40'];
    assert.deepEqual(await requestsFrom(byNetwork, lines), ['1', '0', '1', 'rejected']);
  });

  test('counts IPv6 clients by /64, whatever the spelling', async () => {
    const addresses = [
      '2001:db8:0:1::1',
      '2001:DB8:0:1:ffff:0:0:2',
      '2001:db8:0:2::1',
      '2001:0db8::1:0:0:0:3',
    ];
    assert.deepEqual(await requestsFrom(trusting, addresses), ['1', '0', '1', 'rejected']);
  });

  test('counts IPv4-mapped IPv6 as the same IPv4 client', async () => {
    const addresses = ['192.0.2.60', '::ffff:192.0.2.60', '::ffff:192.0.2.61', '::ffff:192.0.2.60'];
    assert.deepEqual(await requestsFrom(trusting, addresses), ['1', '0', '1', 'rejected']);
  });

  test('that holds no address counts as one client per text', async () => {
    const nonsense = ['unknown', 'unknown', 'unknown', "'; drop table users"];
    assert.deepEqual(await requestsFrom(trusting, nonsense), ['1', '0', 'rejected', '1']);
  });
});

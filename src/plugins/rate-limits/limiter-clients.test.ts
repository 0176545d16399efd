import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fromIp, limited } from '../../../test/support/limits.ts';
import { useService } from '../../../test/support/service.ts';

const WARNING = /X-Forwarded-For is ignored/;

describe('rate limits of clients behind proxies', () => {
  const limit = { RATE_LIMIT_ANON: '2/3600' };
  const withoutProxies = useService('sqlite', { environment: { RATE_LIMITS: 'on', ...limit } });
  const trusting = useService('sqlite', limited(limit));
  const proxyNetworks = useService('sqlite', limited({ ...limit, TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' }));
  const otherProxy = useService('sqlite', limited({ ...limit, TRUST_PROXY: '10.0.0.1' }));

  async function remaining({ api }: typeof trusting, forwardedFor: string): Promise<string> {
    const { status, headers } = await api.get('/api/v1/users', fromIp(forwardedFor));
    return status === 429 ? 'rejected' : headers.get('x-ratelimit-remaining')!;
  }

  async function remainingAfterEach(
    service: typeof trusting,
    clientIps: readonly string[],
  ): Promise<string[]> {
    const seen: string[] = [];
    for (const clientIp of clientIps) seen.push(await remaining(service, clientIp));
    return seen;
  }

  test('X-Forwarded-For is ignored without a trusted proxy, with one warning in the log', async () => {
    const clientIps = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    assert.deepEqual(await remainingAfterEach(withoutProxies, clientIps), ['1', '0', 'rejected', 'rejected']);
    const warnings = withoutProxies.log.filter(({ msg }) => WARNING.test(String(msg)));
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0]!.level, 40);
  });

  test('X-Forwarded-For is ignored from a proxy that is not trusted', async () => {
    assert.deepEqual(await remainingAfterEach(otherProxy, ['192.0.2.1', '192.0.2.2', '192.0.2.3']), [
      '1',
      '0',
      'rejected',
    ]);
  });

  test('each client of a trusted proxy is counted separately', async () => {
    const clientIps = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2', '192.0.2.2'];
    assert.deepEqual(await remainingAfterEach(trusting, clientIps), [
      '1',
      '0',
      '1',
      'rejected',
      '0',
      'rejected',
    ]);
    assert.deepEqual(
      trusting.log.filter(({ msg }) => WARNING.test(String(msg))),
      [],
    );
  });

  test('clients are counted by the nearest untrusted IP in X-Forwarded-For, not by one that it claims', async () => {
    const claims = ['6.6.6.1, 192.0.2.30', '6.6.6.2, 192.0.2.30', '6.6.6.3, 192.0.2.30'];
    assert.deepEqual(await remainingAfterEach(trusting, claims), ['1', '0', 'rejected']);
  });

  test('X-Forwarded-For is followed through several trusted proxies', async () => {
    const lines = ['192.0.2.40, 10.1.2.3', '192.0.2.40, 10.3.2.1', '192.0.2.41, 10.1.2.3', '192.0.2.40'];
    assert.deepEqual(await remainingAfterEach(proxyNetworks, lines), ['1', '0', '1', 'rejected']);
  });

  test('a value of X-Forwarded-For that is no IP address is counted as a client of its own', async () => {
    const nonsense = ['unknown', 'unknown', 'unknown', "'; drop table users"];
    assert.deepEqual(await remainingAfterEach(trusting, nonsense), ['1', '0', 'rejected', '1']);
  });
});

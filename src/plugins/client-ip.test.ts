import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastify, { type FastifyRequest } from 'fastify';
import { clientIpReader, trustProxyOption } from './request-context.ts';

/** Returns the client IP of a request over a connection from `peer`. */
async function clientIp(peer: string, forwarded: string | undefined, trustProxy: string[]): Promise<string> {
  const app = fastify({ trustProxy: trustProxyOption(trustProxy) });
  const read = clientIpReader(trustProxy);
  app.get('/', async (request) => ({ clientIp: read(request) }));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const response = await app.inject({ url: '/', headers, remoteAddress: peer });
  await app.close();
  return response.json().clientIp;
}

describe('clientIpReader', () => {
  const trusted = ['10.0.0.0/8', '::1'];
  const table: [title: string, peer: string, forwarded: string | undefined, expected: string][] = [
    ['returns the IP of the connection without X-Forwarded-For', '203.0.113.7', undefined, '203.0.113.7'],
    ['ignores X-Forwarded-For of an untrusted client', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['returns the client IP that a trusted proxy forwards', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'returns the nearest IP that is not a trusted proxy',
      '::1',
      '192.0.2.9, 198.51.100.1, 10.0.0.2',
      '198.51.100.1',
    ],
    ['returns the farthest IP when all are trusted proxies', '::1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['returns the IP of the proxy when it forwards none', '10.0.0.1', '', '10.0.0.1'],
    ['removes the port of an IPv4 address', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['removes the port and brackets of an IPv6 address', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['recognises trusted proxies with ports', '10.0.0.1', '198.51.100.1:1, 10.0.0.3:2', '198.51.100.1'],
  ];
  for (const [title, peer, forwarded, expected] of table) {
    test(`clientIpReader ${title}`, async () =>
      assert.equal(await clientIp(peer, forwarded, trusted), expected));
  }

  test('clientIpReader returns the IP of the connection when no proxy is trusted', async () => {
    assert.equal(await clientIp('10.0.0.1', '198.51.100.1', []), '10.0.0.1');
  });

  test('clientIpReader returns an empty client IP once the client has disconnected', () => {
    const disconnected = { socket: {}, ip: undefined } as unknown as FastifyRequest;
    for (const trustProxy of [[], trusted]) assert.equal(clientIpReader(trustProxy)(disconnected), '');
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastify, { type FastifyRequest } from 'fastify';
import { clientIpReader, trustProxyOption } from './client-ip.ts';

/** The address that is found for a request over a connection from `peer`. */
async function clientIp(peer: string, forwarded: string | undefined, trustProxy: string[]): Promise<string> {
  const app = fastify({ trustProxy: trustProxyOption(trustProxy) });
  const read = clientIpReader(trustProxy);
  app.get('/', async (request) => ({ clientIp: read(request) }));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const response = await app.inject({ url: '/', headers, remoteAddress: peer });
  await app.close();
  return response.json().clientIp;
}

describe("the client's address", () => {
  const trusted = ['10.0.0.0/8', '::1'];
  const table: [shows: string, peer: string, forwarded: string | undefined, address: string][] = [
    ['is that of the connection without a proxy', '203.0.113.7', undefined, '203.0.113.7'],
    ['is not taken from a stranger', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['is what a named proxy says', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['is the nearest that is no named proxy', '::1', '192.0.2.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['is the farthest of none but named proxies', '::1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is that of the proxy when it says nothing', '10.0.0.1', '', '10.0.0.1'],
    ['is named without its port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['is named without its port, in brackets', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['is looked for behind proxies with ports', '10.0.0.1', '198.51.100.1:1, 10.0.0.3:2', '198.51.100.1'],
  ];
  for (const [shows, peer, forwarded, address] of table) {
    test(shows, async () => assert.equal(await clientIp(peer, forwarded, trusted), address));
  }

  test('is that of the connection where no proxy is named', async () => {
    assert.equal(await clientIp('10.0.0.1', '198.51.100.1', []), '10.0.0.1');
  });

  test('is empty once the client has disconnected', () => {
    const gone = { socket: {}, ip: undefined } as unknown as FastifyRequest;
    for (const trustProxy of [[], trusted]) assert.equal(clientIpReader(trustProxy)(gone), '');
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import fastify, { type FastifyRequest } from 'fastify';
import { parseResponses, rawRequest, sendRaw, sendRawOnce } from '../../test/support/raw-http.ts';
import { useSharedService } from '../../test/support/service.ts';
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

const withHost = (host: string) => `GET /livez HTTP/1.1\r\nHost:${host}\r\nConnection: close\r\n\r\n`;

describe('request heads', () => {
  const service = useSharedService('sqlite');

  const valid = [
    ' localhost',
    '',
    ' a.example:443',
    ' a.example:',
    ' 127.0.0.1:3000',
    ' [::1]:3000',
    ' [2001:db8::1]',
    ' A_b~c',
    ' a%20b',
    ' a:65535',
  ];
  for (const host of valid) {
    test(`the request head accepts Host:${host}`, async () => {
      assert.equal((await sendRawOnce(service.api.url, withHost(host))).status, 200);
    });
  }

  const invalid = [
    ' a:99999',
    ' a:65536',
    ' a:b',
    ' a:-1',
    ' [::1',
    ' ::1',
    ' [::g]',
    ' [a]',
    ' a]',
    ' a b',
    ' a/b',
    ' a@b',
    ' a,b',
    ' a:1:2',
  ];
  for (const host of invalid) {
    test(`the request head rejects Host:${host} with 400 and closes the connection (RFC 9112 section 3.2)`, async () => {
      const { status, headers, text } = await sendRawOnce(service.api.url, withHost(host));
      assert.deepEqual([status, headers.get('connection')], [400, 'close']);
      assert.equal(JSON.parse(text).code, 'malformed_request');
    });
  }

  test('an HTTP/1.0 request with a transfer coding closes the connection (RFC 9112 section 6.1)', async () => {
    const fields = 'Connection: keep-alive\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    const request = `POST /api/v1/users HTTP/1.0\r\n${fields}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    const { status, headers } = await sendRawOnce(service.api.url, request);
    assert.deepEqual([status, headers.get('connection')], [201, 'close']);
  });

  test('a request with Upgrade closes the connection, because later bytes of its packet are lost', async () => {
    const upgrade = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const [first, ...others] = await sendRaw(
      service.api.url,
      Buffer.concat([Buffer.from(upgrade), rawRequest('GET', '/livez')]),
    );
    assert.deepEqual([first?.status, first?.headers.get('connection')], [200, 'close']);
    assert.equal(others.length, 0);
  });

  test('a connection with CONNECT closes without a response, also one that its client resets', async () => {
    const { hostname, port } = new URL(service.api.url);
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const socket = connect(Number(port), hostname);
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
      await once(socket, 'connect');
      socket[end]();
      await once(socket.resume(), 'close');
      assert.equal(socket.bytesRead, 0);
    }
    assert.equal((await service.api.get('/livez')).status, 200);
  });

  test('OPTIONS * gets 204', async () => {
    const [response] = await sendRaw(service.api.url, rawRequest('OPTIONS', '*'));
    assert.equal(response?.status, 204);
  });

  test('a request with an absolute URL is routed by its path', async () => {
    const socket = connect(Number(new URL(service.api.url).port), '127.0.0.1');
    socket.write('GET http://other.example/livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [response] = parseResponses(Buffer.concat(await socket.toArray()));
    assert.equal(response?.status, 200);
  });
});

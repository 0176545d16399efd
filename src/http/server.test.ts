import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { parseAnswers, rawRequest, sendOne, sendRaw } from '../../test/support/raw-http.ts';
import { useService } from '../../test/support/service.ts';
import type { PipelineOptions } from './pipeline.ts';
import { route } from './route.ts';
import { createServer } from './server.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the server', () => {
  const service = useService('sqlite');
  const send = (bytes: Uint8Array, options = {}) => sendOne(service.api.address, bytes, options);

  test('HEAD is GET without the body: same status, same fields', async () => {
    for (const path of ['/api/v1/users', '/api/v1/me', '/livez', '/openapi.json', '/docs', '/nowhere']) {
      const get = await send(rawRequest('GET', path));
      const head = await send(rawRequest('HEAD', path), { head: true });
      assert.equal(head.status, get.status, path);
      const steady = ({ fields }: typeof get) =>
        fields.filter(([name]) => !/^(date|x-request-id)$/i.test(name));
      assert.deepEqual(steady(head), steady(get), path);
    }
  });

  test('a request id that is safe to log is taken over', async () => {
    for (const id of ['a', 'A-1._z', 'x'.repeat(128), '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e']) {
      const { headers } = await service.api.get('/livez', { headers: { 'x-request-id': id } });
      assert.equal(headers.get('x-request-id'), id);
    }
  });

  test('any other request id is replaced by a new UUID', async () => {
    const bad = ['', ' ', 'a b', 'x'.repeat(129), 'é', 'a,b', '<script>', 'a\tb', '{id}', 'a/b'];
    for (const id of bad) {
      const { headers } = await send(rawRequest('GET', '/livez', [`X-Request-Id: ${id}`]));
      assert.match(headers.get('x-request-id')!, UUID, id);
    }
    const twice = await send(rawRequest('GET', '/livez', ['X-Request-Id: a', 'X-Request-Id: b']));
    assert.match(twice.headers.get('x-request-id')!, UUID);
  });

  test('two Host fields are refused, also when they agree or differ in case (RFC 9112 section 3.2)', async () => {
    for (const second of ['Host: localhost', 'hOsT: evil.example.com', 'Host:']) {
      for (const path of ['/api/v1/users', '/nowhere']) {
        const { status, text } = await send(rawRequest('GET', path, [second]));
        assert.equal(status, 400, second);
        assert.equal(JSON.parse(text).code, 'malformed_request');
      }
    }
  });

  test('HTTP/1.0, which knows no Host, is answered', async () => {
    assert.equal((await send(Buffer.from('GET /livez HTTP/1.0\r\n\r\n'))).status, 200);
  });

  test('trailing and doubled slashes are the same path, without a redirect', async () => {
    for (const path of ['/api/v1/users/', '/api/v1/users//', '//api//v1/users', '/api/v1//users/']) {
      const { status, text } = await send(rawRequest('GET', path));
      assert.deepEqual([status, text], [200, '{"message":"Users list"}'], path);
    }
    assert.equal((await send(rawRequest('POST', '/api/v1/users/'))).status, 201);
    assert.equal((await send(rawRequest('GET', '/api/v1/users/abc/'))).text, '{"message":"User abc"}');
  });

  test('pipelined requests are answered in order', async () => {
    const first = 'GET /api/v1/users/first HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const bytes = Buffer.concat([Buffer.from(first), rawRequest('GET', '/api/v1/users/second')]);
    const answers = await sendRaw(service.api.address, bytes);
    const texts = answers.map(({ text }) => text);
    assert.deepEqual(texts, ['{"message":"User first"}', '{"message":"User second"}']);
  });

  test('an announced body above 1 MiB is refused before it is sent, and the connection closed', async () => {
    const fields = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${2 ** 20 + 1}`];
    for (const path of ['/api/v1/users', '/api/v1/form-fields/validate', '/api/register', '/api/login']) {
      const bytes = Buffer.from(`POST ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
      const { status, headers, text } = await send(bytes);
      assert.equal(status, 413, path);
      assert.equal(headers.get('connection'), 'close');
      assert.equal(JSON.parse(text).code, 'payload_too_large');
    }
  });

  test('a body that grows above 1 MiB in chunks is refused, and the connection closed', async () => {
    const fields = ['Host: localhost', 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const size = 2 ** 20 + 1;
    const body = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
    const { status, headers } = await send(
      Buffer.from(`POST /api/v1/users HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`),
    );
    assert.deepEqual([status, headers.get('connection')], [413, 'close']);
  });

  test('a body of exactly 1 MiB is read', async () => {
    const body = `{"name":"Ada"${' '.repeat(2 ** 20 - 14)}}`;
    assert.equal(Buffer.byteLength(body), 2 ** 20);
    const { status } = await send(
      rawRequest('POST', '/api/v1/users', ['Content-Type: application/json'], body),
    );
    assert.equal(status, 201);
  });
});

test('a client that is too slow is told so in JSON, and both limits are set as they are shipped', async () => {
  const server = createServer([], {
    logger: pino({ level: 'silent' }),
    publicUrl: '',
    corsOrigins: [],
    trustProxy: [],
  } as unknown as PipelineOptions);
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [15_000, 30_000]);
  assert.ok('connectionsCheckingInterval' in server, 'Node looks for slow clients at an interval');
  Object.assign(server, { headersTimeout: 1, connectionsCheckingInterval: 5 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { status, headers, text } = await half((server.address() as AddressInfo).port);
  server.close();
  assert.equal(status, 408);
  assert.equal(headers.get('connection'), 'close');
  assert.equal(JSON.parse(text).code, 'request_timeout');
});

test('what fails after an answer, or in its headers, is a line of the log and no second answer', async () => {
  const lines: string[] = [];
  const nothing = async () => {};
  const quiet = { beforeAuthentication: () => undefined, afterAuthentication: () => undefined };
  const entry = (path: `/${string}`, headers: Record<string, string>) =>
    route({
      method: 'GET',
      path,
      operationId: path,
      tag: 'Things',
      summary: 'A thing',
      access: 'public',
      responses: { 200: { description: 'A thing.' } },
      handle: async () => ({ status: 200, headers, body: {} }),
    });
  const server = createServer([entry('/fine', {}), entry('/split', { location: '/a\r\nSet-Cookie: b' })], {
    logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    publicUrl: '',
    corsOrigins: [],
    trustProxy: [],
    sharedSchemas: [],
    isDraining: () => false,
    isOverloaded: () => false,
    limiter: { ...quiet, credentialRefused: nothing },
    onAnswered: (_caller: unknown, status: number) => {
      if (status === 200) throw new Error('the note failed');
    },
  } as unknown as PipelineOptions);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fine = await sendOne(address, rawRequest('GET', '/fine'));
  const split = await sendOne(address, rawRequest('GET', '/split'));
  server.close();
  assert.deepEqual([fine.status, fine.text], [200, '{}']);
  assert.deepEqual([split.status, split.headers.get('set-cookie')], [500, null]);
  assert.match(lines[0]!, /the note failed/);
  assert.match(lines[1]!, /location/);
});

/** Begins a request, never ends it, and gives what the server says to that. */
async function half(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /livez HTTP/1.1\r\nHost: local');
  const received = await socket.toArray();
  const [answer] = parseAnswers(Buffer.concat(received));
  return answer!;
}

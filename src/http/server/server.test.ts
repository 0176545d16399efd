import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { insertLoggedInUser } from '../../../test/support/people.ts';
import { parseResponses, rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { useService } from '../../../test/support/service.ts';
import type { PipelineOptions } from '../pipeline.ts';
import { type Route, route } from '../route.ts';
import { createServer } from './server.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the server', () => {
  const service = useService('sqlite');
  const send = (bytes: Uint8Array, options = {}) => sendRawOnce(service.api.address, bytes, options);

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

  test('the refusal of a body that is far too large reaches a client that does not stop sending', async () => {
    const body = Buffer.alloc(16 * 2 ** 20, ' ');
    const headers = { 'content-type': 'application/json' };
    for (let round = 0; round < 5; round++) {
      const answer = await fetch(`${service.api.address}/api/login`, { method: 'POST', headers, body });
      assert.equal(answer.status, 413);
      await answer.body?.cancel();
    }
  });

  test('and one that asked for the end of the connection', async () => {
    const { hostname, port } = new URL(service.api.address);
    for (const [path, status] of [
      ['/api/login', 413],
      ['/nowhere', 404],
    ] as const) {
      for (let round = 0; round < 3; round++) {
        const headers = { 'content-type': 'application/json', connection: 'close' };
        const sending = request({ hostname, port, path, method: 'POST', headers, agent: false });
        sending.end(Buffer.alloc(16 * 2 ** 20, ' '));
        const [answer] = await once(sending, 'response');
        assert.equal(answer.statusCode, status);
        answer.resume();
      }
    }
  });

  test('a body is asked for when it is about to be read, and not where it will be refused', async () => {
    const expecting = ['Content-Type: application/json', 'Expect: 100-continue'];
    const refused = await sendRawOnce(
      service.api.address,
      rawRequest('POST', '/api/v1/users', [...expecting, 'Content-Length: 2000000']),
    );
    assert.deepEqual([refused.status, refused.headers.get('connection')], [413, 'close']);
    const unknown = await sendRawOnce(
      service.api.address,
      rawRequest('POST', '/nowhere', [...expecting, 'Content-Length: 2']),
    );
    assert.equal(unknown.status, 404);
    const [interim, answer] = await sendRaw(
      service.api.address,
      rawRequest('POST', '/api/v1/users', expecting, '{}'),
    );
    assert.deepEqual([interim?.status, answer?.status], [100, 201]);
  });

  test('a client that has closed its side after the request is answered', async () => {
    const { hostname, port } = new URL(service.api.address);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.end('POST /api/v1/users HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = parseResponses(Buffer.concat(await socket.toArray()));
    assert.equal(answer?.status, 201);
  });

  test('a field that may come once is refused when it comes twice', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    const bearer = `Authorization: Bearer ${token}`;
    assert.equal((await send(rawRequest('GET', '/api/v1/me', [bearer]))).status, 200);
    assert.equal((await send(rawRequest('GET', '/api/v1/me', [bearer, bearer]))).status, 401);
    const types = ['Content-Type: application/json', 'Content-Type: text/plain'];
    assert.equal((await send(rawRequest('POST', '/api/v1/users', types, '{}'))).status, 415);
  });

  test('an id is measured in characters', async () => {
    for (const [count, status] of [
      [255, 200],
      [256, 404],
    ] as const) {
      const path = `/api/v1/users/${encodeURIComponent('😀'.repeat(count))}`;
      assert.equal((await send(rawRequest('GET', path))).status, status);
    }
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
  const server = createBareServer();
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [15_000, 30_000]);
  assert.ok('connectionsCheckingInterval' in server, 'Node looks for slow clients at an interval');
  Object.assign(server, { headersTimeout: 1, connectionsCheckingInterval: 5 });
  const { status, headers, text } = await half(Number(new URL(await listen(server)).port));
  server.close();
  assert.equal(status, 408);
  assert.equal(headers.get('connection'), 'close');
  assert.equal(JSON.parse(text).code, 'request_timeout');
});

test('a client that drags out a body nobody reads gets one answer, and then the end', async () => {
  const server = createBareServer();
  Object.assign(server, { requestTimeout: 1, headersTimeout: 1, connectionsCheckingInterval: 5 });
  const socket = connect(Number(new URL(await listen(server)).port), '127.0.0.1');
  socket.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
  const answers = parseResponses(Buffer.concat(await socket.toArray()));
  server.close();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404],
  );
});

test('a server that drains answers what it carries out, and closes the connection with the last of it', async () => {
  let carriedOut = 0;
  const server = createBareServer({ isDraining: () => true, onAnswered: () => carriedOut++ });
  const address = await listen(server);
  const answers = await sendRaw(address, 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  server.close();
  assert.equal(answers.length, carriedOut);
  const connections = answers.map(({ headers }) => headers.get('connection'));
  assert.equal(connections.indexOf('close'), answers.length - 1);
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
  const options = {
    logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    sharedSchemas: [],
    isOverloaded: () => false,
    limiter: { ...quiet, credentialRefused: nothing },
    onAnswered: (_caller: unknown, status: number) => {
      if (status !== 500) throw new Error(`the note of a ${status} failed`);
    },
  };
  const routes = [entry('/fine', {}), entry('/split', { location: '/a\r\nSet-Cookie: b' })];
  const server = createBareServer(options, routes);
  const address = await listen(server);
  const fine = await sendRawOnce(address, rawRequest('GET', '/fine'));
  const split = await sendRawOnce(address, rawRequest('GET', '/split'));
  const nowhere = await sendRawOnce(address, rawRequest('GET', '/nowhere'));
  server.close();
  assert.deepEqual([fine.status, fine.text], [200, '{}']);
  assert.deepEqual([split.status, split.headers.get('set-cookie')], [500, null]);
  assert.equal(nowhere.status, 404);
  assert.match(lines[0]!, /the note of a 200 failed/);
  assert.match(lines[1]!, /location/);
  assert.match(lines[2]!, /the note of a 404 failed/);
});

/** A server without a service behind it: as much as its requests come to see. */
function createBareServer(options: object = {}, routes: readonly Route[] = []): Server {
  const bare = {
    logger: pino({ level: 'silent' }),
    publicUrl: '',
    corsOrigins: [],
    trustProxy: [],
    isDraining: () => false,
    onAnswered: () => {},
  };
  return createServer(routes, { ...bare, ...options } as unknown as PipelineOptions);
}

/** Gives where it listens. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Begins a request, never ends it, and gives what the server says to that. */
async function half(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /livez HTTP/1.1\r\nHost: local');
  const received = await socket.toArray();
  const [answer] = parseResponses(Buffer.concat(received));
  return answer!;
}

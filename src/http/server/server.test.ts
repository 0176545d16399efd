import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { insertLoggedInUser } from '../../../test/support/people.ts';
import { parseResponses, rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { useService } from '../../../test/support/service.ts';
import { route } from '../route.ts';
import { TIMEOUTS } from './node-server.ts';

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

const SHORT_TIMEOUTS = { headers: 20, request: 20, check: 5, stalled: 20_000 };

test('responds with 408 to a client that does not complete the headers in time', async (context) => {
  const server = await startBareServer({ timeouts: SHORT_TIMEOUTS });
  context.after(() => server.app.close());
  const { status, headers, text } = await half(Number(new URL(server.url).port));
  assert.equal(status, 408);
  assert.equal(headers.get('connection'), 'close');
  assert.equal(JSON.parse(text).code, 'request_timeout');
});

test('limits headers to 15 s and requests to 30 s, and looks for slow clients every 2 s', () => {
  assert.deepEqual(TIMEOUTS, { headers: 15_000, request: 30_000, check: 2_000, stalled: 20_000 });
});

test('responds once to a client that is slow to send a body that nobody reads, and closes', async (context) => {
  const server = await startBareServer({ timeouts: SHORT_TIMEOUTS });
  context.after(() => server.app.close());
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
  const responses = parseResponses(Buffer.concat(await socket.toArray()));
  assert.deepEqual(
    responses.map(({ status }) => status),
    [404],
  );
});

test('responds to every request that it processes while draining, and closes with the last response', async (context) => {
  let processed = 0;
  const server = await startBareServer({ isDraining: () => true, onResponse: () => processed++ });
  context.after(() => server.app.close());
  const responses = await sendRaw(server.url, 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  assert.equal(responses.length, processed);
  const connections = responses.map(({ headers }) => headers.get('connection'));
  assert.equal(connections.indexOf('close'), responses.length - 1);
});

test('logs a failure after the response, and responds with 500 to a header that would begin another line', async (context) => {
  const lines: string[] = [];
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
    onResponse: (_caller: unknown, status: number) => {
      if (status !== 500) throw new Error(`the note of a ${status} failed`);
    },
  };
  const routes = [entry('/fine', {}), entry('/split', { location: '/a\r\nSet-Cookie: b' })];
  const server = await startBareServer(options, routes);
  context.after(() => server.app.close());
  const fine = await sendRawOnce(server.url, rawRequest('GET', '/fine'));
  const split = await sendRawOnce(server.url, rawRequest('GET', '/split'));
  const nowhere = await sendRawOnce(server.url, rawRequest('GET', '/nowhere'));
  assert.deepEqual([fine.status, fine.text], [200, '{}']);
  assert.deepEqual([split.status, split.headers.get('set-cookie')], [500, null]);
  assert.equal(nowhere.status, 404);
  assert.match(lines[0]!, /the note of a 200 failed/);
  assert.match(lines[1]!, /location/);
  assert.match(lines[2]!, /the note of a 404 failed/);
});

/** Begins a request, never ends it, and gives what the server says to that. */
async function half(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /livez HTTP/1.1\r\nHost: local');
  const received = await socket.toArray();
  const [answer] = parseResponses(Buffer.concat(received));
  return answer!;
}

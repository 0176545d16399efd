import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { useService } from '../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../test/support/users.ts';
import { createLog } from '../../lib/log.ts';
import { route } from '../route.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('requests to the server', () => {
  const service = useService('sqlite');
  const send = (bytes: Uint8Array, options = {}) => sendRawOnce(service.api.url, bytes, options);

  test('responds to HEAD with the status and headers of GET and without a body', async () => {
    for (const path of ['/api/v1/users', '/api/v1/me', '/livez', '/openapi.json', '/docs', '/nowhere']) {
      const get = await send(rawRequest('GET', path));
      const head = await send(rawRequest('HEAD', path), { head: true });
      assert.equal(head.status, get.status, path);
      const stable = ({ fields }: typeof get) =>
        fields.filter(([name]) => !/^(date|x-request-id)$/i.test(name));
      assert.deepEqual(stable(head), stable(get), path);
    }
  });

  test('keeps an X-Request-Id that is safe in logs and headers', async () => {
    for (const id of ['a', 'A-1._z', 'x'.repeat(128), '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e']) {
      const { headers } = await service.api.get('/livez', { headers: { 'x-request-id': id } });
      assert.equal(headers.get('x-request-id'), id);
    }
  });

  test('replaces any other X-Request-Id by a new UUID', async () => {
    const unsafe = ['', ' ', 'a b', 'x'.repeat(129), 'é', 'a,b', '<script>', 'a\tb', '{id}', 'a/b'];
    for (const id of unsafe) {
      const { headers } = await send(rawRequest('GET', '/livez', [`X-Request-Id: ${id}`]));
      assert.match(headers.get('x-request-id')!, UUID, id);
    }
    const twice = await send(rawRequest('GET', '/livez', ['X-Request-Id: a', 'X-Request-Id: b']));
    assert.match(twice.headers.get('x-request-id')!, UUID);
  });

  test('rejects two Host fields with 400, also with equal values or names in another case (RFC 9112 section 3.2)', async () => {
    for (const second of ['Host: localhost', 'hOsT: evil.example.com', 'Host:']) {
      for (const path of ['/api/v1/users', '/nowhere']) {
        const { status, text } = await send(rawRequest('GET', path, [second]));
        assert.equal(status, 400, second);
        assert.equal(JSON.parse(text).code, 'malformed_request');
      }
    }
  });

  test('responds to an HTTP/1.0 request without Host', async () => {
    assert.equal((await send(Buffer.from('GET /livez HTTP/1.0\r\n\r\n'))).status, 200);
  });

  test('ignores trailing and duplicate slashes in paths, without a redirect', async () => {
    for (const path of ['/api/v1/users/', '/api/v1/users//', '//api//v1/users', '/api/v1//users/']) {
      const { status, text } = await send(rawRequest('GET', path));
      assert.deepEqual([status, text], [200, '{"message":"Users list"}'], path);
    }
    assert.equal((await send(rawRequest('POST', '/api/v1/users/'))).status, 201);
    assert.equal((await send(rawRequest('GET', '/api/v1/users/abc/'))).text, '{"message":"User abc"}');
  });

  test('responds to pipelined requests in order', async () => {
    const first = 'GET /api/v1/users/first HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const bytes = Buffer.concat([Buffer.from(first), rawRequest('GET', '/api/v1/users/second')]);
    const responses = await sendRaw(service.api.url, bytes);
    const texts = responses.map(({ text }) => text);
    assert.deepEqual(texts, ['{"message":"User first"}', '{"message":"User second"}']);
  });

  test('keeps idle connections open for 75 s, as it announces', async () => {
    const { headers } = await service.api.get('/livez');
    assert.deepEqual([headers.get('connection'), headers.get('keep-alive')], ['keep-alive', 'timeout=75']);
  });

  test('rejects repeated Authorization and Content-Type fields', async () => {
    const { token } = await insertLoggedInUser(service.service.database);
    const bearer = `Authorization: Bearer ${token}`;
    assert.equal((await send(rawRequest('GET', '/api/v1/me', [bearer]))).status, 200);
    assert.equal((await send(rawRequest('GET', '/api/v1/me', [bearer, bearer]))).status, 401);
    const types = ['Content-Type: application/json', 'Content-Type: text/plain'];
    assert.equal((await send(rawRequest('POST', '/api/v1/users', types, '{}'))).status, 415);
  });

  test('accepts path parameters of up to 255 characters, whatever their encoded length', async () => {
    for (const [count, status] of [
      [255, 200],
      [256, 404],
      [400, 404],
    ] as const) {
      const path = `/api/v1/users/${encodeURIComponent('😀'.repeat(count))}`;
      assert.equal((await send(rawRequest('GET', path))).status, status);
    }
  });
});

test('processes one request of a connection while draining and closes with its response', async (context) => {
  let processed = 0;
  const server = await startBareServer({ isDraining: () => true, onResponse: () => processed++ });
  context.after(() => server.app.close());
  const request = 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n';
  const { status, headers } = await sendRawOnce(server.url, request.repeat(3));
  assert.deepEqual([status, headers.get('connection'), processed], [404, 'close', 1]);
});

test('logs a failure after the response, and responds with 500 to a header value with a line break', async (context) => {
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
    logger: createLog('error', { write: (line: string) => void lines.push(line) }),
    onResponse: (_caller: unknown, status: number) => {
      if (status !== 500) throw new Error(`recording a ${status} failed`);
    },
  };
  const routes = [entry('/fine', {}), entry('/line-break', { location: '/a\r\nSet-Cookie: b' })];
  const server = await startBareServer(options, routes);
  context.after(() => server.app.close());
  const fine = await sendRawOnce(server.url, rawRequest('GET', '/fine'));
  const withLineBreak = await sendRawOnce(server.url, rawRequest('GET', '/line-break'));
  const nowhere = await sendRawOnce(server.url, rawRequest('GET', '/nowhere'));
  assert.deepEqual([fine.status, fine.text], [200, '{}']);
  assert.deepEqual([withLineBreak.status, withLineBreak.headers.get('set-cookie')], [500, null]);
  assert.equal(nowhere.status, 404);
  assert.match(lines[0]!, /recording a 200 failed/);
  assert.match(lines[1]!, /location/);
  assert.match(lines[2]!, /recording a 404 failed/);
});

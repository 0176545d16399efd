import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startBareServer } from '../test/support/bare-server.ts';
import { rawRequest, sendRawOnce } from '../test/support/raw-http.ts';
import { useSharedService } from '../test/support/service.ts';
import { insertLoggedInUser } from '../test/support/users.ts';
import { createLog } from './lib/log/log.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('requests to the server', () => {
  const service = useSharedService('sqlite');
  const send = (bytes: Uint8Array, options = {}) => sendRawOnce(service.api.url, bytes, options);

  test('HEAD responds with the status and headers of GET and without a body', async () => {
    for (const path of ['/', '/api/v1/users', '/api/v1/me', '/livez', '/openapi.json', '/docs', '/nowhere']) {
      const get = await send(rawRequest('GET', path));
      const head = await send(rawRequest('HEAD', path), { head: true });
      assert.equal(head.status, get.status, path);
      const stable = ({ fields }: typeof get) =>
        fields.filter(([name]) => !/^(date|x-request-id)$/i.test(name));
      assert.deepEqual(stable(head), stable(get), path);
    }
  });

  test('an X-Request-Id that is safe in logs and headers is kept', async () => {
    for (const id of ['a', 'A-1._z', 'x'.repeat(128), '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e']) {
      const { headers } = await service.api.get('/livez', { headers: { 'x-request-id': id } });
      assert.equal(headers.get('x-request-id'), id);
    }
  });

  test('any other X-Request-Id is replaced by a new UUID', async () => {
    const unsafe = ['', ' ', 'a b', 'x'.repeat(129), 'é', 'a,b', '<script>', 'a\tb', '{id}', 'a/b'];
    for (const id of unsafe) {
      const { headers } = await send(rawRequest('GET', '/livez', [`X-Request-Id: ${id}`]));
      assert.match(headers.get('x-request-id')!, UUID, id);
    }
    const twice = await send(rawRequest('GET', '/livez', ['X-Request-Id: a', 'X-Request-Id: b']));
    assert.match(twice.headers.get('x-request-id')!, UUID);
  });

  test('two Host fields are rejected with 400, also with equal values or names in another case (RFC 9112 section 3.2)', async () => {
    for (const second of ['Host: localhost', 'hOsT: evil.example.com', 'Host:']) {
      for (const path of ['/api/v1/users', '/nowhere']) {
        const { status, text } = await send(rawRequest('GET', path, [second]));
        assert.equal(status, 400, second);
        assert.equal(JSON.parse(text).code, 'malformed_request');
      }
    }
  });

  test('an HTTP/1.0 request without Host gets a response', async () => {
    assert.equal((await send(Buffer.from('GET /livez HTTP/1.0\r\n\r\n'))).status, 200);
  });

  test('idle connections are kept open for 75 s, as announced', async () => {
    const { headers } = await service.api.get('/livez');
    assert.deepEqual([headers.get('connection'), headers.get('keep-alive')], ['keep-alive', 'timeout=75']);
  });

  test('repeated Authorization and Content-Type fields are rejected', async () => {
    const { token } = await insertLoggedInUser(service.database);
    const bearer = `Authorization: Bearer ${token}`;
    assert.equal((await send(rawRequest('GET', '/api/v1/me', [bearer]))).status, 200);
    assert.equal((await send(rawRequest('GET', '/api/v1/me', [bearer, bearer]))).status, 401);
    const types = ['Content-Type: application/json', 'Content-Type: text/plain'];
    assert.equal((await send(rawRequest('POST', '/api/v1/users', types, '{}'))).status, 415);
  });
});

test('a draining server processes one request of a connection and closes it with the response', async (context) => {
  const lines: string[] = [];
  const logger = createLog('info', { write: (line) => void lines.push(line) });
  const server = await startBareServer({ isDraining: () => true, logger });
  context.after(() => server.app.close());
  const request = 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n';
  const { status, headers } = await sendRawOnce(server.url, request.repeat(3));
  assert.deepEqual([status, headers.get('connection'), lines.length], [404, 'close', 1]);
});

test('a failure after the response and an invalid header of a response are logged', async (context) => {
  const lines: string[] = [];
  const logger = createLog('error', { write: (line) => void lines.push(line) });
  const config = { access: 'public' } as const;
  const server = await startBareServer({ logger }, (app) => {
    app.get('/line-break', { config }, (_request, reply) =>
      reply.header('location', '/a\r\nSet-Cookie: b').send({}),
    );
    const onResponse = async () => {
      throw new Error('recording failed');
    };
    app.get('/fine', { config, onResponse }, async () => ({}));
  });
  context.after(() => server.app.close());
  const fine = await sendRawOnce(server.url, rawRequest('GET', '/fine'));
  assert.deepEqual([fine.status, fine.text], [200, '{}']);
  const withLineBreak = await fetch(`${server.url}/line-break`);
  assert.deepEqual([withLineBreak.status, withLineBreak.headers.get('set-cookie')], [500, null]);
  assert.match(lines[0]!, /recording failed/);
  assert.match(lines[1]!, /location/);
  for (const line of lines) assert.match(JSON.parse(line).request_id, UUID);
});

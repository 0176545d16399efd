import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { ADMIN_TOKEN, useSharedService } from '../../../test/support/service.ts';

const json = 'Content-Type: application/json';
const users = `POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\n${json}\r\n`;
const CHECK = '/api/v1/form-fields/validate';
const LIMITS = [
  { method: 'POST', path: CHECK, limit: 1_048_576 },
  { method: 'POST', path: '/api/register', limit: 65_536 },
  { method: 'POST', path: '/api/login', limit: 65_536 },
  { method: 'POST', path: '/api/v1/users', limit: 65_536 },
  { method: 'PATCH', path: '/api/v1/users/x', limit: 65_536 },
  { method: 'DELETE', path: '/api/v1/users/x', limit: 65_536 },
];

describe('request bodies', () => {
  const service = useSharedService('sqlite');
  const send = (bytes: string | Uint8Array) => sendRawOnce(service.api.url, bytes);
  const post = (path: string, headers: string[], body: string | Uint8Array = '') =>
    send(rawRequest('POST', path, headers, body));

  const createHead = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${json}\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\n`;

  test('an announced body above the limit of its route is rejected with 413 and closes, also if the client waits with the body', async () => {
    const announced = LIMITS.map(({ method, path, limit }) =>
      send(`${createHead(method, path)}Content-Length: ${limit + 1}\r\n\r\n`),
    );
    for (const { status, headers, text } of await Promise.all(announced)) {
      assert.deepEqual([status, headers.get('connection')], [413, 'close']);
      assert.equal(JSON.parse(text).code, 'payload_too_large');
    }
  });

  for (const { method, path, limit } of LIMITS) {
    const head = createHead(method, path);

    test(`a chunked body of ${method} ${path} above ${limit} bytes is rejected with 413 and closes the connection`, async () => {
      const body = `${(limit + 1).toString(16)}\r\n${' '.repeat(limit + 1)}\r\n0\r\n\r\n`;
      const { status, headers, text } = await send(`${head}Transfer-Encoding: chunked\r\n\r\n${body}`);
      assert.deepEqual([status, headers.get('connection')], [413, 'close']);
      assert.equal(JSON.parse(text).code, 'payload_too_large');
    });

    test(`a body of ${method} ${path} of exactly ${limit} bytes is read, announced or chunked`, async () => {
      const body = `{"name":1${' '.repeat(limit - 10)}}`;
      assert.equal(Buffer.byteLength(body), limit);
      const announced = await send(`${head}Connection: close\r\nContent-Length: ${limit}\r\n\r\n${body}`);
      const chunks = `${limit.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const chunked = await send(`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
      for (const { status, text } of [announced, chunked]) {
        assert.notEqual(status, 413);
        assert.notEqual(JSON.parse(text).code, 'invalid_payload');
      }
    });
  }

  test('a body that is not JSON keeps the connection open', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${users}Content-Length: 1\r\n\r\n{`),
      rawRequest('POST', '/api/v1/users', [json], '{}'),
    ]);
    const responses = await sendRaw(service.api.url, bytes);
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.get('connection')]),
      [
        [400, 'keep-alive'],
        [201, 'close'],
      ],
    );
  });

  test('form fields of 1 MiB are validated, whose members do not count', async () => {
    const definition = '{"label":"abc","type":"date","is_required":true}';
    const count = Math.floor((2 ** 20 - 12) / (definition.length + 1));
    const filled = `{"fields":[${Array(count).fill(definition).join(',')}]}`;
    assert.equal((await post(CHECK, [json], filled)).status, 200);
    const { status, text } = await post(CHECK, [json], filled.replace('date', 'dote'));
    assert.deepEqual([status, JSON.parse(text).errors], [400, ['Invalid field type']]);
  });

  test('form fields of too many objects are rejected with 400 and one message', async () => {
    const { status, text } = await post(CHECK, [json], `{"fields":[${Array(80_000).fill('{}')}]}`);
    assert.equal(status, 400);
    const message = 'Invalid request payload';
    assert.deepEqual(JSON.parse(text), { error: message, code: 'invalid_payload', errors: [message] });
  });
});

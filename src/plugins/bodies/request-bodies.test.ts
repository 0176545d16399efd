import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseResponses, rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { ADMIN_TOKEN, useSharedService } from '../../../test/support/service.ts';

const json = 'Content-Type: application/json';
const users = `POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\n${json}\r\n`;
const LIMITS = [
  { method: 'POST', path: '/api/v1/form-fields/validate', limit: 1_048_576 },
  { method: 'POST', path: '/api/register', limit: 65_536 },
  { method: 'POST', path: '/api/login', limit: 65_536 },
  { method: 'POST', path: '/api/v1/users', limit: 65_536 },
  { method: 'PATCH', path: '/api/v1/users/x', limit: 65_536 },
  { method: 'DELETE', path: '/api/v1/users/x', limit: 65_536 },
];
const FAR_TOO_LARGE = Buffer.alloc(16 * 2 ** 20, ' ');

describe('request bodies', () => {
  const service = useSharedService('sqlite');
  const send = (bytes: string | Uint8Array) => sendRawOnce(service.api.url, bytes);

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

  test('a client that sends 16 MiB receives the 413', async () => {
    const headers = { 'content-type': 'application/json' };
    for (let round = 0; round < 5; round++) {
      const options = { method: 'POST', headers, body: FAR_TOO_LARGE };
      const response = await fetch(`${service.api.url}/api/login`, options);
      assert.equal(response.status, 413);
      await response.body?.cancel();
    }
  });

  for (const [path, status] of [
    ['/api/login', 413],
    ['/nowhere', 404],
  ] as const) {
    test(`a client that sends 16 MiB with Connection: close receives the ${status}`, async () => {
      const { hostname, port } = new URL(service.api.url);
      for (let round = 0; round < 3; round++) {
        const headers = { 'content-type': 'application/json', connection: 'close' };
        const sending = request({ hostname, port, path, method: 'POST', headers, agent: false });
        sending.end(FAR_TOO_LARGE);
        const [response] = await once(sending, 'response');
        assert.equal(response.statusCode, status);
        // The server closes the connection soon after its response, with or without the rest of the body.
        sending.on('error', () => {});
        response.resume();
        await once(sending, 'close');
      }
    });
  }

  test('a chunked body that is sent byte by byte is read', async () => {
    const socket = connect(Number(new URL(service.api.url).port), '127.0.0.1');
    socket.setNoDelay(true);
    const [start, end] = ['1\r\n{\r\n', 'c\r\n"name":"Ada"\r\n1\r\n}\r\n0\r\n\r\n'];
    const head = `${users}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const byte of head + start + end) {
      socket.write(byte);
      await nextTurn();
    }
    const [response] = parseResponses(Buffer.concat(await socket.toArray()));
    assert.equal(response?.status, 201);
  });

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
});

const CHECK = '/api/v1/form-fields/validate';
describe('request payloads', () => {
  const service = useSharedService('sqlite');
  const post = (path: string, headers: string[], body: string | Uint8Array = '') =>
    sendRawOnce(service.api.url, rawRequest('POST', path, headers, body));

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

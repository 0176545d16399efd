import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { startBareServer } from '../../test/support/bare-server.ts';
import { rawRequest, sendRawOnce } from '../../test/support/raw-http.ts';
import { openService, useService } from '../../test/support/service.ts';
import { sql } from '../database/database.ts';
import { newToken } from '../lib/secrets/tokens.ts';

/** OWASP REST Security Cheat Sheet. */
const SECURITY = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const json = ['Content-Type: application/json'];

/** One request for each way to produce a response. */
const requests: [title: string, status: number, bytes: Uint8Array][] = [
  ['a GET', 200, rawRequest('GET', '/api/v1/users')],
  ['a health check', 200, rawRequest('GET', '/livez')],
  ['a creation', 201, rawRequest('POST', '/api/v1/users')],
  ['OPTIONS', 204, rawRequest('OPTIONS', '/api/v1/users')],
  ['a body that is not JSON', 400, rawRequest('POST', '/api/v1/users', json, '{')],
  ['a path that is not UTF-8', 400, rawRequest('GET', '/api/v1/users/%ff')],
  ['two Host fields', 400, rawRequest('GET', '/api/v1/users', ['Host: b'])],
  ['a missing credential', 401, rawRequest('GET', '/api/v1/me')],
  ['an unknown path', 404, rawRequest('GET', '/nowhere')],
  ['an id of 256 characters', 404, rawRequest('GET', `/api/v1/users/${'a'.repeat(256)}`)],
  ['an id of 2000 characters', 404, rawRequest('GET', `/api/v1/users/${'a'.repeat(2000)}`)],
  ['an unsupported method', 405, rawRequest('PUT', '/api/v1/users')],
  ['an unacceptable Accept', 406, rawRequest('GET', '/api/v1/users', ['Accept: text/html'])],
  [
    'a body that is too large',
    413,
    rawRequest('POST', '/api/v1/users', [...json, 'Content-Length: 2000000']),
  ],
  ['an unsupported media type', 415, rawRequest('POST', '/api/v1/users', [], 'a')],
  ['an unexpected failure', 500, rawRequest('GET', '/api/v1/me', [`Authorization: Bearer ${newToken()}`])],
];

/** Rejected by Node's parser, before content negotiation. */
const unreadable: typeof requests = [
  ['a malformed request line', 400, Buffer.from('hello\r\n\r\n')],
  ['a missing Host', 400, Buffer.from('GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n')],
  ['headers that are too large', 431, rawRequest('GET', '/livez', [`X-Big: ${'a'.repeat(17_000)}`])],
];

function assertDefaultHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(SECURITY)) assert.equal(headers.get(name), value, name);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('x-request-id') ?? '', /^[\w.-]{1,128}$/);
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
    assert.ok(!headers.has(name), name);
}

describe('headers of every response', () => {
  const service = useService('sqlite');
  before(() => service.database.transaction((tx) => tx.run(sql('alter table tokens rename to tokens_away'))));

  for (const [title, expected, bytes] of [...requests, ...unreadable]) {
    test(`the response to ${title} (${expected}) has the security headers, Vary, a request id and no information about the server`, async () => {
      const { status, headers, fields } = await sendRawOnce(service.api.url, bytes);
      assert.equal(status, expected);
      assertDefaultHeaders(headers);
      if (!unreadable.some(([other]) => other === title))
        assert.match(headers.get('vary')!, /^Accept(, accept-encoding)?$/);
      assert.ok(!headers.has('strict-transport-security'), 'HSTS is sent behind TLS only');
      const names = fields.map(([name]) => name.toLowerCase());
      assert.deepEqual(names, [...new Set(names)], 'no field is repeated');
    });
  }

  test('caches keep the API description for five minutes, and no response of the API', async () => {
    const description = await sendRawOnce(service.api.url, rawRequest('GET', '/openapi.json'));
    assert.equal(description.headers.get('cache-control'), 'public, max-age=300');
    const list = await sendRawOnce(service.api.url, rawRequest('GET', '/api/v1/users'));
    assert.ok(!list.headers.has('etag'));
  });
});

test('Strict-Transport-Security is sent in every response when the public URL is https (RFC 6797)', async (context) => {
  const environment = { PUBLIC_URL: 'https://api.example.com/' };
  const service = await openService(context, 'sqlite', { environment });
  for (const [title, expected, bytes] of requests.slice(0, -1)) {
    const { status, headers } = await sendRawOnce(service.api.url, bytes);
    assert.equal(status, expected);
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', title);
  }
});

/** Calls `request` with the URL of a server with this handler. */
async function withHandler<T>(
  handle: (reply: FastifyReply) => FastifyReply,
  options: Parameters<typeof startBareServer>[0],
  request: (url: string) => Promise<T>,
): Promise<T> {
  const server = await startBareServer(options, (app) => {
    app.get('/', { config: { access: 'public' } }, async (_request, reply) => handle(reply));
  });
  try {
    return await request(server.url);
  } finally {
    await server.app.close();
  }
}

/** Returns the response of a handler as it is on the wire. */
const respond = (
  handle: (reply: FastifyReply) => FastifyReply,
  options: Parameters<typeof startBareServer>[0] = {},
) => withHandler(handle, options, (url) => sendRawOnce(url, rawRequest('GET', '/')));

describe('responses of handlers', () => {
  test('responses of handlers have the default headers, except those that the route replaces', async () => {
    const own = { 'cache-control': 'private', etag: '"1"' };
    const { headers, fields } = await respond((reply) => reply.headers(own).send({}));
    for (const [name, value] of Object.entries(SECURITY)) assert.equal(headers.get(name), value, name);
    assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['private', '"1"']);
    const names = fields.map(([name]) => name.toLowerCase());
    assert.equal(names.length, new Set(names).size);
  });

  test('responses of handlers have Vary: Origin when origins are listed', async () => {
    const { headers } = await respond((reply) => reply.send({}), { corsOrigins: ['https://a.example'] });
    assert.equal(headers.get('vary'), 'Accept, Origin');
  });

  test('Content-Length is sent in bytes, except with a status that excludes a body (RFC 9110 section 8.6)', async () => {
    for (const [status, body, length] of [
      [200, 'é', '2'],
      [200, undefined, '0'],
      [204, undefined, null],
      [304, undefined, null],
    ] as const) {
      const { headers } = await respond((reply) => reply.code(status).send(body));
      assert.equal(headers.get('content-length'), length, `${status}`);
    }
  });

  test('responses of handlers have Connection: close while the service drains', async () => {
    const { headers } = await respond((reply) => reply.send({}), { isDraining: () => true });
    assert.equal(headers.get('connection'), 'close');
  });
});

describe('headers of responses that shared caches may keep', () => {
  const service = useService('sqlite', { environment: { RATE_LIMITS: 'on' } });

  for (const path of ['/openapi.json', '/docs/security'])
    test(`${path} has nothing of the one client in its headers, as a response or as 304`, async () => {
      const first = await service.api.get(path);
      const headers = { 'if-none-match': first.headers.get('etag') ?? '*' };
      const second = await service.api.get(path, { headers });
      assert.equal(first.status, 200);
      for (const response of [first, second]) {
        assert.match(response.headers.get('cache-control')!, /^public/);
        const own = [...response.headers.keys()].filter((name) => /ratelimit|^x-request-id$/.test(name));
        assert.deepEqual(own, []);
      }
    });

  test('an error response of a path with public responses has the id of its request', async () => {
    const { headers } = await service.api.get('/docs/nowhere');
    assert.ok(headers.has('x-request-id'));
  });
});

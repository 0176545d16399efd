import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rawRequest, sendRawOnce } from '../../test/support/raw-http.ts';
import { useService, useSharedService } from '../../test/support/service.ts';
import { isListedOrigin } from './cors.ts';

const LISTED = ['https://app.example.com', 'http://localhost:5173'];
const json = 'Content-Type: application/json';

/** Headers that a script may read only if they are exposed (WHATWG Fetch, CORS-safelisted response-header name). */
const EXPOSED = [
  'link',
  'location',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'idempotent-replayed',
];

const unlisted = [
  'https://evil.example.com',
  'https://app.example.com.evil.com',
  'https://app.example.com, http://localhost:5173',
  'null',
];

const corsNames = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('cross-origin requests with listed origins', () => {
  const service = useService('sqlite', { environment: { CORS_ORIGINS: LISTED.join(', ') } });
  const send = (method: string, path: string, fields: string[], body?: string) =>
    sendRawOnce(service.api.url, rawRequest(method, path, fields, body));

  for (const origin of LISTED) {
    test(`CORS allows the listed origin ${origin} and exposes the response headers to it`, async () => {
      const { headers } = await send('GET', '/api/v1/users', [`Origin: ${origin}`]);
      assert.equal(headers.get('access-control-allow-origin'), origin);
      const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ');
      for (const name of EXPOSED) assert.ok(exposed.includes(name), name);
    });
  }

  for (const origin of unlisted) {
    test(`CORS headers are not sent to the origin "${origin}", neither for a request nor for a preflight`, async () => {
      const request = await send('GET', '/api/v1/users', [`Origin: ${origin}`]);
      assert.equal(request.status, 200);
      assert.deepEqual(corsNames(request.headers), []);
      const fields = [`Origin: ${origin}`, 'Access-Control-Request-Method: POST'];
      const preflight = await send('OPTIONS', '/api/v1/users', fields);
      assert.equal(preflight.status, 204);
      assert.deepEqual(corsNames(preflight.headers), []);
    });
  }

  test('a preflight gets the methods of the path and the headers that operations have', async () => {
    const fields = [
      'Origin: https://app.example.com',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization,content-type,idempotency-key',
    ];
    const { status, headers, text } = await send('OPTIONS', '/api/v1/users', fields);
    assert.deepEqual([status, text], [204, '']);
    assert.equal(headers.get('access-control-allow-origin'), 'https://app.example.com');
    assert.equal(headers.get('access-control-allow-methods'), headers.get('allow'));
    assert.match(headers.get('access-control-allow-methods')!, /\bPOST\b/);
    const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
    const names = new Set(['authorization', 'content-type', 'if-none-match', 'traceparent']);
    JSON.parse((await send('GET', '/openapi.json', [])).text, (_key, value) => {
      if (value?.in === 'header') names.add(value.name.toLowerCase());
      return value;
    });
    assert.ok(names.has('idempotency-key') && names.has('prefer'));
    for (const name of names) assert.ok(allowed.includes(name), name);
    assert.match(headers.get('access-control-max-age')!, /^\d+$/);
  });

  test('a preflight for an unknown path is accepted with every method, so that the page can read the 404', async () => {
    const fields = ['Origin: https://app.example.com', 'Access-Control-Request-Method: POST'];
    const { status, headers } = await send('OPTIONS', '/nowhere', fields);
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, LISTED[0]]);
    assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST, PUT, PATCH, DELETE');
    assert.equal((await send('POST', '/nowhere', fields)).status, 404);
  });

  const requests: [status: number, method: string, path: string, fields?: string[], body?: string][] = [
    [400, 'GET', '/api/v1/users/%ff'],
    [404, 'GET', '/nowhere'],
    [405, 'PUT', '/api/v1/users'],
    [413, 'POST', '/api/v1/users', [json, 'Content-Length: 2000000']],
  ];
  for (const [expected, method, path, fields = [], body] of requests) {
    test(`CORS lets a listed origin read the ${expected} of ${method} ${path.slice(0, 30)}, without credentials mode`, async () => {
      const { status, headers } = await send(method, path, [...fields, `Origin: ${LISTED[0]}`], body);
      assert.equal(status, expected);
      assert.equal(headers.get('access-control-allow-origin'), LISTED[0]);
      assert.ok(!headers.has('access-control-allow-credentials'));
      assert.equal(headers.get('vary'), 'Accept, Origin');
    });
  }

  test('Vary: Origin is sent also in responses to requests without Origin', async () => {
    for (const path of ['/api/v1/users', '/openapi.json', '/docs', '/.well-known/api-catalog']) {
      assert.match(
        (await send('GET', path, [])).headers.get('vary')!,
        /^Accept, Origin(, accept-encoding)?$/,
        path,
      );
    }
  });
});

describe('cross-origin requests without listed origins', () => {
  const service = useSharedService('sqlite');

  test('CORS headers are not sent when no origins are listed', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/users'],
      ['OPTIONS', '/api/v1/users'],
      ['GET', '/nowhere'],
    ] as const) {
      const fields = ['Origin: https://app.example.com', 'Access-Control-Request-Method: GET'];
      const { headers } = await sendRawOnce(service.api.url, rawRequest(method, path, fields));
      assert.deepEqual(corsNames(headers), []);
      assert.match(headers.get('vary')!, /^Accept(, accept-encoding)?$/);
    }
  });
});

test('isListedOrigin accepts exact matches only', () => {
  const pieces = fc.constantFrom('https://', 'http://', 'app', '.', 'example.com', ':443', '/', '*', '@');
  const origin = fc.oneof(
    fc.string(),
    fc.array(pieces).map((parts) => parts.join('')),
  );
  fc.assert(fc.property(origin, (text) => isListedOrigin(LISTED, text) === LISTED.includes(text)));
  assert.equal(isListedOrigin(LISTED, undefined), false);
});

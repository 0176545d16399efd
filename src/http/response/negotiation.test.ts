import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { ADMIN_TOKEN, newPerson, useService } from '../../../test/support/service.ts';
import { acceptsJson, prefersProblemJson, quality } from './negotiation.ts';

const welcome = [
  'application/json',
  'Application/JSON',
  'application/json;q=0.1',
  'application/json; charset=utf-8',
  'application/problem+json',
  'application/*',
  '*/*',
  '',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html, application/json ; q=0.001',
];
const unwelcome = [
  'text/html',
  'text/*',
  'application/xml',
  'application/jsonp',
  'application/vnd.example+json',
  'application/json;q=0',
  'application/json;q=0, */*',
  'application/json;Q=0.0, text/html',
  '*/*;q=0',
  'application/*;q=0, text/html',
  'nonsense',
];

describe('Accept', () => {
  const service = useService('sqlite');
  const send = (method: string, path: string, accept: string) =>
    sendRawOnce(service.api.address, rawRequest(method, path, [`Accept: ${accept}`]));

  for (const accept of welcome) {
    test(`${accept} is answered in JSON`, async () => {
      const { status, headers } = await send('GET', '/api/v1/users', accept);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    });
  }

  for (const accept of unwelcome) {
    test(`${accept} is a 406, which comes in JSON all the same`, async () => {
      const { status, headers, text } = await send('GET', '/api/v1/users', accept);
      assert.equal(status, 406);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      const message = 'Not Acceptable';
      assert.deepEqual(JSON.parse(text), {
        statusCode: 406,
        code: 'not_acceptable',
        error: message,
        message,
      });
    });
  }

  test('what is not acceptable is refused before anything is done', async () => {
    const { email } = newPerson();
    const refused = await service.api.post('/api/v1/users', { email }, { headers: { accept: 'text/html' } });
    assert.equal(refused.status, 406);
    const list = await service.api.get(`/api/v1/users?email=${email}`, { token: ADMIN_TOKEN });
    assert.deepEqual(list.body.data, []);
  });

  test('errors ignore it', async () => {
    for (const [method, path, expected] of [
      ['GET', '/nowhere', 404],
      ['PUT', '/api/v1/users', 405],
      ['GET', '/api/v1/me', 401],
    ] as const) {
      const { status, text } = await send(method, path, 'text/html');
      assert.equal(status, expected);
      assert.equal(typeof JSON.parse(text).error, 'string');
    }
  });

  test('health checks and documents, which are not JSON of the API, are answered whatever is accepted', async () => {
    for (const path of ['/livez', '/readyz', '/healthz', '/docs', '/openapi.json']) {
      assert.equal((await send('GET', path, 'image/png')).status, 200, path);
    }
  });
});

describe('the weight of a media type', () => {
  test('is that of the most specific range (RFC 9110 section 12.5.1)', () => {
    const accept = 'application/json;q=0.2, application/*;q=0.5, */*;q=0.8';
    assert.equal(quality(accept, 'application/json'), 0.2);
    assert.equal(quality(accept, 'application/xml'), 0.5);
    assert.equal(quality(accept, 'text/html'), 0.8);
    assert.equal(quality('text/html', 'application/json'), 0);
  });

  test('is never anything but a number, and no header accepts everything', () => {
    const piece = fc.constantFrom(
      'application/json',
      'application/problem+json',
      '*/*',
      ';',
      'q=',
      '0.5',
      ',',
      ' ',
      '1',
    );
    const header = fc.oneof(
      fc.string(),
      fc.array(piece).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(header, (accept) => {
        assert.ok(!Number.isNaN(quality(accept, 'application/json')));
        assert.equal(typeof acceptsJson(accept), 'boolean');
        assert.ok(!prefersProblemJson(accept) || /problem\+json/i.test(accept), 'only by its name');
      }),
    );
    assert.ok(acceptsJson(undefined));
    assert.ok(!prefersProblemJson(undefined));
  });
});

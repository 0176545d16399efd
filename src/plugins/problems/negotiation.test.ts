import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { admin, newUserData, useSharedService } from '../../../test/support/service.ts';
import { prefersProblemJson } from './negotiation.ts';

const acceptable = [
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
const unacceptable = [
  'text/html',
  'text/*',
  'application/xml',
  'application/jsonp',
  'application/json; charset=utf-16',
  'application/vnd.example+json',
  'application/json;q=0',
  'application/json;q=0, */*',
  'application/json;Q=0.0, text/html',
  '*/*;q=0',
  'application/*;q=0, text/html',
  'nonsense',
];

describe('negotiation of response media types', () => {
  const service = useSharedService('sqlite');
  const send = (method: string, path: string, accept: string) =>
    sendRawOnce(service.api.url, rawRequest(method, path, [`Accept: ${accept}`]));

  for (const accept of acceptable) {
    test(`the API responds in JSON to Accept: ${accept}`, async () => {
      const { status, headers } = await send('GET', '/api/v1/users', accept);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    });
  }

  for (const accept of unacceptable) {
    test(`the API rejects Accept: ${accept} with a 406 in JSON`, async () => {
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

  test('a request whose Accept is rejected is not processed', async () => {
    const { email } = newUserData();
    const rejected = await service.api.post('/api/v1/users', { email }, { headers: { accept: 'text/html' } });
    assert.equal(rejected.status, 406);
    const list = await service.api.get(`/api/v1/users?email=${email}`, admin);
    assert.deepEqual(list.body.data, []);
  });

  const types: [path: string, type: string][] = [
    ['/api/v1/events', 'application/cloudevents-batch+json'],
    ['/api/v1/events?limit=x', 'application/problem+json'],
    ['/nowhere', 'text/html'],
  ];
  for (const [path, type] of types) {
    test(`a client that accepts ${type} gets it also if it names the charset UTF-8`, async () => {
      for (const accept of [type, `${type};charset=utf-8`, `${type}; charset="UTF-8"; q=0.5`]) {
        const { headers } = await service.api.get(path, { ...admin, headers: { accept } });
        assert.equal(headers.get('content-type')!.split(';')[0], type, accept);
      }
    });
  }

  test('health checks and documents respond whatever the client accepts', async () => {
    for (const path of ['/livez', '/readyz', '/healthz', '/docs', '/openapi.json']) {
      assert.equal((await send('GET', path, 'image/png')).status, 200, path);
    }
  });
});

describe('prefersProblemJson', () => {
  const formats: [accept: string | undefined, isProblemJson: boolean][] = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/*', false],
    ['application/json', false],
    ['application/problem+json', true],
    ['Application/Problem+JSON', true],
    ['application/json, application/problem+json', true],
    ['application/problem+json, application/json', true],
    ['application/problem+json, */*', true],
    ['application/json;q=0.9, application/problem+json;q=0.9', true],
    ['application/json, application/problem+json;q=0.9', false],
    ['application/problem+json;q=0', false],
    ['application/json;q=0.5, application/problem+json;q=0.6', true],
  ];
  for (const [accept, isProblemJson] of formats) {
    test(`prefersProblemJson returns ${isProblemJson} for Accept: ${accept}`, () => {
      assert.equal(prefersProblemJson(accept), isProblemJson);
    });
  }
});

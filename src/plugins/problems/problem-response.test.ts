import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { newToken } from '../../lib/secrets/tokens.ts';
import { catalogue, Problem, type ProblemCode } from '../../problems/problem.ts';
import { type ProblemContext, problemResponse } from './problem-response.ts';

const json = 'Content-Type: application/json';
const admin = `Authorization: Bearer ${ADMIN_TOKEN}`;
const unknownUser = '/api/v1/users/01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';

type ProblemRequest = [code: ProblemCode, method: string, path: string, fields?: string[], body?: string];

/** A request for each problem that needs no account. */
const requests: ProblemRequest[] = [
  ['invalid_payload', 'POST', '/api/register', [json], '[]'],
  ['validation_failed', 'POST', '/api/register', [json], '{}'],
  ['validation_failed', 'POST', '/api/v1/form-fields/validate', [json], '{"fields":[{}]}'],
  ['invalid_limit', 'GET', '/api/v1/users?limit=-1'],
  ['invalid_cursor', 'GET', '/api/v1/users?cursor=x'],
  ['invalid_filter', 'GET', '/api/v1/users?state=x'],
  ['invalid_path', 'GET', '/api/v1/users/%ff'],
  ['malformed_request', 'GET', '/livez', ['Host: again']],
  ['idempotency_key_malformed', 'POST', '/api/v1/users', ['Idempotency-Key: ""']],
  ['unauthorized', 'GET', '/api/v1/me'],
  ['invalid_login', 'POST', '/api/login', [json], '{"email":"nobody@example.com","password":"wrong"}'],
  ['not_found', 'GET', '/nowhere'],
  ['user_not_found', 'GET', unknownUser, [admin]],
  ['method_not_allowed', 'PUT', '/api/login'],
  ['payload_too_large', 'POST', '/api/login', [json, 'Content-Length: 2000000']],
  ['unsupported_media_type', 'POST', '/api/login', [], 'a'],
  ['internal_error', 'GET', '/api/v1/me', [`Authorization: Bearer ${newToken()}`]],
];

function parsed(problem: Problem, context: ProblemContext) {
  const { status, body } = problemResponse(problem, context);
  return { status, body: JSON.parse(body!) };
}

describe('media types of problems', () => {
  const service = useService('sqlite');
  before(() =>
    service.service.database.transaction((tx) => tx.run(sql('alter table tokens rename to tokens_away'))),
  );
  const send = async ([, method, path, fields = [], body]: ProblemRequest, accept: string) => {
    const bytes = rawRequest(method, path, [...fields, `Accept: ${accept}`], body);
    return sendRawOnce(service.api.url, bytes);
  };

  for (const request of requests) {
    const [code, method, path] = request;
    test(`${code} of ${method} ${path.slice(0, 40)} is RFC 9457 with error and code if the client prefers that`, async () => {
      const { status, headers, text } = await send(request, 'application/problem+json');
      const body = JSON.parse(text);
      const { status: expected, text: title } = catalogue[code];
      assert.equal(body.code, code);
      assert.equal(status, expected);
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.equal(body.type, `/docs/problems#${code}`);
      assert.equal(body.title, title);
      assert.equal(body.status, status);
      assert.equal(typeof body.detail, 'string');
      assert.equal(body.error, body.detail);
      assert.equal(body.instance, `urn:uuid:${headers.get('x-request-id')}`);
    });

    test(`${code} of ${method} ${path.slice(0, 40)} has the product's own format otherwise`, async () => {
      const { headers, text } = await send(request, '*/*');
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      const body = JSON.parse(text);
      assert.deepEqual([typeof body.error, typeof body.code], ['string', 'string']);
      for (const member of ['type', 'title', 'status', 'detail', 'instance'])
        assert.ok(!(member in body), member);
    });
  }

  test('problems have a JSON pointer for each failed rule', async () => {
    const fields = '{"fields":[{"label":"name","type":"text","is_required":true},{"label":"x"}]}';
    const { text } = await send(
      ['validation_failed', 'POST', '/api/v1/form-fields/validate', [json], fields],
      'application/problem+json',
    );
    assert.deepEqual(JSON.parse(text).errors, [
      { detail: 'Label must be between 3 and 50 characters', pointer: '#/fields/1/label' },
      { detail: 'Type is required', pointer: '#/fields/1/type' },
      { detail: 'IsRequired is required', pointer: '#/fields/1/is_required' },
    ]);
  });
});

describe('problemResponse', () => {
  const plain = { accept: undefined, requestId: 'own-id', publicUrl: 'https://api.example.com' };

  test('problemResponse returns error and code for every code of the catalogue, and message where the catalogue says so', () => {
    for (const code of Object.keys(catalogue) as ProblemCode[]) {
      const { status, text, rendering } = catalogue[code];
      const { body, status: sent } = parsed(new Problem(code), plain);
      assert.equal(sent, status);
      const expected = {
        plain: { error: text, code },
        message: { error: text, code, message: text },
        protocol: { statusCode: status, code, error: text, message: text },
      };
      assert.deepEqual(body, expected[rendering]);
    }
  });

  test('problemResponse links to the public URL and omits the instance when the request id is not a UUID', () => {
    const { body } = parsed(new Problem('forbidden'), {
      ...plain,
      accept: 'application/problem+json',
    });
    assert.equal(body.type, 'https://api.example.com/docs/problems#forbidden');
    assert.ok(!('instance' in body));
  });
});

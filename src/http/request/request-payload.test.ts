import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { useService } from '../../../test/support/service.ts';

const json = 'Content-Type: application/json';
const CHECK = '/api/v1/form-fields/validate';
const fields = '{"fields":[{"label":"name","type":"text","is_required":true}]}';
const nested = (levels: number) =>
  `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},${fields.slice(1)}`;

describe('request payloads', () => {
  const service = useService('sqlite');
  const post = (path: string, headers: string[], body: string | Uint8Array = '') =>
    sendRawOnce(service.api.url, rawRequest('POST', path, headers, body));

  const rejected: [title: string, body: string | number[]][] = [
    ['that is not JSON', '{'],
    ['of white space', ' '],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is a string', '"text"'],
    ['with a member twice', '{"fields":[],"fields":[]}'],
    ['with a member twice, once in an escape', '{"fields":[],"\\u0066ields":[]}'],
    ['that is not UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]],
    ['in UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['33 levels deep', nested(33)],
    ['with __proto__', '{"__proto__":{"fields":[]}}'],
    ['with constructor.prototype', '{"constructor":{"prototype":{"fields":[]}}}'],
  ];
  for (const [title, body] of rejected) {
    for (const path of [CHECK, '/api/register', '/api/login', '/api/v1/users']) {
      test(`POST ${path} rejects a payload ${title} with 400`, async () => {
        const { status, text } = await post(path, [json], Buffer.from(body as string));
        assert.equal(status, 400);
        const { error, code } = JSON.parse(text);
        assert.deepEqual([error, code], ['Invalid request payload', 'invalid_payload']);
      });
    }
  }

  test('accepts a payload with a byte order mark, 32 levels of nesting or names of inherited members', async () => {
    for (const body of [`\uFEFF${fields}`, nested(32), `{"toString":1,"constructor":{},${fields.slice(1)}`]) {
      assert.equal((await post(CHECK, [json], body)).status, 200, body);
    }
  });

  for (const escaped of ['\\u0000', '\\ud800', '\\udfff']) {
    test(`rejects ${escaped} in a stored text with a message for its member`, async () => {
      const { status, text } = await post('/api/v1/users', [json], `{"name":"a${escaped}b"}`);
      assert.equal(status, 400);
      assert.deepEqual(JSON.parse(text).errors, { name: ['The name field format is invalid.'] });
    });
  }
});

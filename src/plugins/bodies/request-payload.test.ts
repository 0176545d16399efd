import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawRequest, sendRawOnce } from '../../../test/support/raw-http.ts';
import { useSharedService } from '../../../test/support/service.ts';

const json = 'Content-Type: application/json';
const CHECK = '/api/v1/form-fields/validate';
const fields = '{"fields":[{"label":"name","type":"text","is_required":true}]}';
const nested = (levels: number) =>
  `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},${fields.slice(1)}`;

describe('request payloads', () => {
  const service = useSharedService('sqlite');
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
    ['with 1,001 members', `{${Array.from({ length: 1_001 }, (_, index) => `"m${index}":1`)}}`],
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

  test('a payload is accepted with a byte order mark, 32 levels of nesting or names of inherited members', async () => {
    for (const body of [`\uFEFF${fields}`, nested(32), `{"toString":1,"constructor":{},${fields.slice(1)}`]) {
      assert.equal((await post(CHECK, [json], body)).status, 200, body);
    }
  });

  test('form fields of 1 MiB are validated, whose members do not count', async () => {
    const definition = '{"label":"abc","type":"date","is_required":true}';
    const count = Math.floor((2 ** 20 - 12) / (definition.length + 1));
    const filled = `{"fields":[${Array(count).fill(definition).join(',')}]}`;
    assert.equal((await post(CHECK, [json], filled)).status, 200);
    const { status, text } = await post(CHECK, [json], filled.replace('date', 'dote'));
    assert.deepEqual([status, JSON.parse(text).errors], [400, ['Invalid field type']]);
  });

  for (const [title, element] of [
    ['350,000 objects', '{}'],
    ['95,000 objects with one member', '{"type":1}'],
    ['150,000 distinct names', (index: number) => `{"${index}":0}`],
    ['nested lists', `${'['.repeat(30)}${']'.repeat(30)}`],
  ] as const) {
    test(`form fields of ${title} are rejected with 400 and one message`, async () => {
      const elements: string[] = [];
      for (let size = 20; size < 2 ** 20 - 100; size += elements.at(-1)!.length + 1) {
        elements.push(typeof element === 'string' ? element : element(elements.length));
      }
      const { status, text } = await post(CHECK, [json], `{"fields":[${elements}]}`);
      assert.equal(status, 400);
      const message = 'Invalid request payload';
      assert.deepEqual(JSON.parse(text), { error: message, code: 'invalid_payload', errors: [message] });
    });
  }

  for (const escaped of ['\\u0000', '\\ud800', '\\udfff']) {
    test(`${escaped} in a stored text is rejected with a message for its member`, async () => {
      const { status, text } = await post('/api/v1/users', [json], `{"name":"a${escaped}b"}`);
      assert.equal(status, 400);
      assert.deepEqual(JSON.parse(text).errors, { name: ['The name field format is invalid.'] });
    });
  }
});

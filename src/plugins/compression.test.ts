import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { createTestLink } from '../../test/support/processes/recovery.ts';
import { ADMIN_TOKEN, newUserData, useSharedService } from '../../test/support/service.ts';
import { insertTestUser, register } from '../../test/support/users.ts';

const LIST = '/api/v1/users?limit=20';
const json = { 'content-type': 'application/json' };
const gzip = { 'accept-encoding': 'gzip' };

type Method = Dispatcher.HttpMethod;

describe('compression of responses', () => {
  const service = useSharedService('sqlite');
  before(async () => {
    for (let index = 0; index < 20; index++) await insertTestUser(service.database);
  });
  const send = async (
    path: string,
    fields: Record<string, string> = {},
    method: Method = 'GET',
    body?: string,
  ) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, ...fields };
    const response = await request(`${service.api.url}${path}`, { method, headers, body: body ?? null });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, bytes };
  };
  const getEncoding = async (...request: Parameters<typeof send>) => {
    const { headers } = await send(...request);
    return headers['content-encoding'];
  };

  test('a list is compressed with the encoding that the client prefers, and its content stays the same', async () => {
    const plain = await send(LIST);
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const [accepted, encoding, decompress] of [
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await send(LIST, { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], encoding);
      assert.equal(headers['content-length'], String(bytes.length));
      assert.ok(bytes.length * 3 < plain.bytes.length);
      assert.equal(decompress(bytes).toString(), plain.bytes.toString());
    }
  });

  test('compressible responses name Accept-Encoding in Vary, also if they are short, not modified or to HEAD', async () => {
    const { headers } = await send('/openapi.json', gzip);
    const etag = headers.etag as string;
    assert.match(etag, /^W\/"/);
    for (const [status, path, fields, method] of [
      [200, '/openapi.json', gzip, 'GET'],
      [200, '/openapi.json', {}, 'GET'],
      [200, '/openapi.json', gzip, 'HEAD'],
      [304, '/openapi.json', { ...gzip, 'if-none-match': etag }, 'GET'],
      [200, '/api/v1/users?limit=1', gzip, 'GET'],
    ] as const) {
      const response = await send(path, fields, method);
      assert.deepEqual([response.status, response.headers.vary], [status, 'Accept, accept-encoding']);
      if (method === 'HEAD') assert.equal(response.headers['content-length'], undefined);
    }
  });

  test('short responses, streams and those with a secret are not compressed', async () => {
    const { id, ...user } = await register(service);
    const input = JSON.stringify({ name: 'x'.repeat(99), scopes: ['users:read'] });
    const login = JSON.stringify({ email: user.email, password: user.password, ignored: 'x'.repeat(2000) });
    const created = JSON.stringify({ ...newUserData(), user_metadata: { a: 'x'.repeat(2000) } });
    const link = await createTestLink(service, 'reset_password', { user: { ...user, id } });
    for (const [path, method, body] of [
      [`/api/v1/users/${id}`, 'GET'],
      ['/api/v1/admin/users/export', 'GET'],
      [`/account/reset-password/${link}`, 'GET'],
      ['/api/login', 'POST', login],
      ['/api/v1/users', 'POST', created],
      ['/api/v1/credentials', 'POST', input],
    ] as const)
      assert.equal(await getEncoding(path, { ...gzip, ...json }, method, body), undefined, path);
    for (const path of ['/docs/operations', '/docs', '/openapi.json', '/api/v1/events?limit=50'])
      assert.equal(await getEncoding(path, gzip), 'gzip', path);
  });
});

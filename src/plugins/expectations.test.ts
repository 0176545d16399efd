import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type BareServer, startBareServer } from '../../test/support/bare-server.ts';
import { rawRequest, sendRaw, sendRawOnce } from '../../test/support/raw-http.ts';

const json = 'Content-Type: application/json';

describe('requests with Expect', () => {
  const expecting = [json, 'Expect: 100-continue'];
  let server: BareServer;
  let processed = 0;
  const handle = async () => ({ number: ++processed });
  const config = { access: 'public' } as const;
  const schema = { body: { type: 'object', properties: {} } } as const;
  before(async () => {
    server = await startBareServer({}, (app) => {
      app.post('/with-schema', { config, schema }, handle);
      app.post('/without-schema', { config }, handle);
      app.get('/without-body', { config }, handle);
    });
  });
  after(() => server.app.close());

  for (const path of ['/with-schema', '/without-schema']) {
    test(`POST ${path} sends 100 Continue when the body is about to be read`, async () => {
      const [interim, response] = await sendRaw(server.url, rawRequest('POST', path, expecting, '{}'));
      assert.deepEqual([interim?.status, response?.status], [100, 200]);
    });
  }

  for (const [method, path, length, status] of [
    ['POST', '/with-schema', 2_000_000, 413],
    ['POST', '/nowhere', 2, 404],
    ['GET', '/without-body', 2, 200],
  ] as const) {
    test(`${method} ${path} responds with ${status} without 100 Continue and closes the connection`, async () => {
      const fields = `Host: a\r\n${expecting.join('\r\n')}\r\nContent-Length: ${length}`;
      const response = await sendRawOnce(server.url, `${method} ${path} HTTP/1.1\r\n${fields}\r\n\r\n`);
      assert.deepEqual([response.status, response.headers.get('connection')], [status, 'close']);
    });
  }

  test('requests behind a response without 100 Continue are not processed', async () => {
    const fields = `Host: a\r\n${expecting.join('\r\n')}\r\nContent-Length: 2`;
    const first = `GET /without-body HTTP/1.1\r\n${fields}\r\n\r\n{}`;
    const before = processed;
    await sendRawOnce(server.url, first + rawRequest('POST', '/without-schema'));
    assert.equal(processed, before + 1);
  });

  test('expectations other than 100-continue are ignored (RFC 9110 section 10.1.1)', async () => {
    const bytes = rawRequest('POST', '/with-schema', [json, 'Expect: something'], '{}');
    assert.equal((await sendRawOnce(server.url, bytes)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type BareServer, startBareServer } from '../../../test/support/bare-server.ts';
import { sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { createLog } from '../../lib/log/log.ts';
import { createDefaultHeaders } from '../default-headers.ts';

const RTSP_METHODS = [
  ...['ANNOUNCE', 'DESCRIBE', 'FLUSH', 'GET_PARAMETER', 'PAUSE', 'PLAY', 'RECORD', 'REDIRECT', 'SETUP'],
  ...['SET_PARAMETER', 'TEARDOWN'],
];
const lines = RTSP_METHODS.flatMap((method) =>
  ['1.0', '1.1'].map((version) => `${method} /things RTSP/${version}`),
);

describe('requests of other protocols', () => {
  let server: BareServer;
  let processed = 0;
  let logged = '';
  before(async () => {
    const logger = createLog('debug', {
      write: (line) => {
        logged += line;
      },
    });
    server = await startBareServer({ logger }, (app) => {
      app.get('/things', { config: { access: 'public' } }, async () => ({ number: ++processed }));
    });
  });
  beforeEach(() => {
    logged = '';
    processed = 0;
  });
  after(() => server.app.close());

  for (const line of lines) {
    test(`the service rejects ${JSON.stringify(line)} with 400 and the default headers, and closes the connection`, async () => {
      const response = await sendRawOnce(server.url, `${line}\r\nHost: a\r\nCSeq: 1\r\n\r\n`);
      assert.deepEqual([response.status, response.reason], [400, 'Bad Request']);
      assert.deepEqual(JSON.parse(response.text), {
        error: 'The request is malformed',
        code: 'malformed_request',
      });
      const expected = { ...createDefaultHeaders({ tls: false, cors: false }), connection: 'close' };
      for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value);
      assert.equal(processed, 0);
      assert.doesNotMatch(logged, /"level":[456]0|stack/);
    });
  }

  test('the service rejects an RTSP method after complete requests, and processes no requests after it', async () => {
    const get = 'GET /things HTTP/1.1\r\nHost: a\r\n\r\n';
    const responses = await sendRaw(server.url, `${get}PLAY /things RTSP/1.0\r\n\r\n${get}`);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 400],
    );
    assert.equal(processed, 1);
  });

  test('the service responds to HTTP/1.0 and to a path that names another protocol', async () => {
    for (const line of ['GET /things HTTP/1.0', 'GET /things?RTSP/1.0 HTTP/1.0'])
      assert.equal((await sendRawOnce(server.url, `${line}\r\n\r\n`)).status, 200);
  });

  test('a request line of RTSP with a method of HTTP gets the same response in one packet and in two', async () => {
    for (const parts of [['GET /things RTSP/1.0\r\n\r\n'], ['GET /things RT', 'SP/1.0\r\n\r\n']]) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setNoDelay(true);
      const received = socket.toArray();
      for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
      assert.match(Buffer.concat(await received).toString(), /^HTTP\/1\.1 200 /);
    }
  });

  test('connections that send nothing are closed with their client, and when they are reset', async () => {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const accepted = once(server.app.server, 'connection');
      const far = connect(Number(new URL(server.url).port), '127.0.0.1');
      const [near] = await accepted;
      const closed = new Promise((resolve) => near.once('close', resolve));
      far[end]();
      await closed;
    }
    assert.equal((await sendRawOnce(server.url, 'GET /things HTTP/1.0\r\n\r\n')).status, 200);
  });
});

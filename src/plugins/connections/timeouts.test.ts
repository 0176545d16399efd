import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { parseResponses } from '../../../test/support/raw-http.ts';
import { TIMEOUTS } from './node-server.ts';

const SHORT_TIMEOUTS = { headers: 20, request: 20, check: 5, stalled: 20_000 };

/** Sends these bytes to a server with short timeouts and returns its responses once it has closed the connection. */
async function responsesTo(context: TestContext, bytes: string) {
  const server = await startBareServer({ timeouts: SHORT_TIMEOUTS });
  context.after(() => server.app.close());
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(bytes);
  return parseResponses(Buffer.concat(await socket.toArray()));
}

describe('timeouts of requests', () => {
  test('the timeouts are 15 s for headers and 30 s for whole requests, checked every 2 s', () => {
    assert.deepEqual(TIMEOUTS, { headers: 15_000, request: 30_000, check: 2_000, stalled: 15_000 });
  });

  test('the service responds with 408 to a client that does not complete the headers in time', async (context) => {
    const [response, ...others] = await responsesTo(context, 'GET /livez HTTP/1.1\r\nHost: local');
    assert.deepEqual([response?.status, response?.headers.get('connection')], [408, 'close']);
    assert.equal(JSON.parse(response!.text).code, 'request_timeout');
    assert.equal(others.length, 0);
  });

  test('a client that is slow to send a body that no route reads gets one response and is disconnected', async (context) => {
    const request = 'POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{';
    const responses = await responsesTo(context, request);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [404],
    );
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BareServer, startBareServer } from '../../../test/support/bare-server.ts';
import { parseResponses } from '../../../test/support/raw-http.ts';
import { closeLingering } from './client-errors.ts';

const BODY = Buffer.alloc(2_000_000, ' ');
const PIECE = 200_000;
const fields = (...lines: string[]) => ['Host: a', 'Content-Type: application/json', ...lines].join('\r\n');
const expecting = fields('Expect: 100-continue', `Content-Length: ${BODY.length}`);
const closing = fields('Connection: close', `Content-Length: ${BODY.length}`);

const cases: readonly [title: string, status: number, head: string][] = [
  ['a client that gets 100 Continue', 413, `POST /things HTTP/1.1\r\n${expecting}`],
  ['a client that announces a body that is too large', 413, `POST /things HTTP/1.1\r\n${closing}`],
  ['a client of HTTP/1.0', 413, `POST /things HTTP/1.0\r\n${fields(`Content-Length: ${BODY.length}`)}`],
  [
    'a client that sends chunks without an end',
    413,
    `POST /things HTTP/1.1\r\n${fields('Transfer-Encoding: chunked')}\r\n\r\nffffff\r\n${' '.repeat(70_000)}`,
  ],
  ['a client that sends what is not HTTP', 400, 'nonsense'],
];

describe('connections that are closed while the client sends', () => {
  let server: BareServer;
  before(async () => {
    const body = { type: 'object', properties: {} } as const;
    server = await startBareServer({}, (app) => {
      app.post('/things', { schema: { body }, config: { access: 'public' } }, async () => ({}));
    });
  });
  after(() => server.app.close());

  /** Sends a head and, when the response has arrived, the body. Returns the response. */
  const sendBodyLate = async (head: string) => {
    const port = Number(new URL(server.url).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`${head}\r\n\r\n`);
    const received: Buffer[] = [];
    const isReceived = () => /\r\n\r\n./.test(String(Buffer.concat(received)));
    while (!isReceived()) received.push(...((await once(socket, 'data')) as Buffer[]));
    const closed = once(socket.resume(), 'close');
    for (let sent = 0; sent < BODY.length; sent += PIECE) {
      socket.write(BODY.subarray(sent, sent + PIECE));
      await nextTurn();
    }
    socket.end();
    // Rejects with ECONNRESET or EPIPE if the connection is reset.
    await closed;
    // After a 100 Continue, perhaps.
    return parseResponses(Buffer.concat(received)).at(-1);
  };

  for (const [title, status, head] of cases) {
    test(`a ${status} to ${title} is not lost by a reset of the connection`, async () => {
      const response = await sendBodyLate(head);
      assert.deepEqual([response?.status, response?.headers.get('connection')], [status, 'close']);
    });
  }
});

describe('closeLingering', () => {
  for (const [title, times, isSending] of [
    ['sends nothing', { deadline: 60_000, idle: 5 }, false],
    ['goes on sending', { deadline: 20, idle: 60_000 }, true],
  ] as const) {
    test(`closeLingering closes the connection of a client that ${title} and does not close it`, async (context) => {
      const listener = createServer().listen(0, '127.0.0.1');
      context.after(() => listener.close());
      await once(listener, 'listening');
      const { port } = listener.address() as { port: number };
      const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      far.on('error', () => {});
      const [near] = (await once(listener, 'connection')) as [Socket];
      const closed = once(near, 'close');
      closeLingering(near, times);
      const sending = setInterval(() => isSending && far.write('a'), 1);
      await Promise.all([closed, once(far.resume(), 'end')]);
      clearInterval(sending);
      far.destroy();
    });
  }
});

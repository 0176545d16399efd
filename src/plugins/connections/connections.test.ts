import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type BareServer, startBareServer } from '../../../test/support/bare-server.ts';
import { parseResponses, sendRaw } from '../../../test/support/raw-http.ts';
import { TIMEOUTS } from '../fastify-options.ts';
import { Connections, type DrainTimes } from './connections.ts';

const LAST = 'GET /things/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Returns the request with this number, and what its response begins with. Requests of several kinds alternate. */
function createRequest(number: number): [bytes: string, response: string] {
  const head = (line: string, length = 0) =>
    `${line} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${number}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n`;
  const body = `{"number":${number}}`;
  switch (number % 5) {
    case 0:
      return [head(`GET /nowhere/${number}`), `${number} 404`];
    case 1:
      return [`${head(`POST /things/${number}`, body.length)}${body}`, `${number} 200 ${body}`];
    case 2:
      return [`${head(`POST /things/${number}`, 1)}{`, `${number} 400`];
    default:
      return [head(`GET /things/${number}`), `${number} 200 ${body}`];
  }
}

describe('pipelined requests', () => {
  let server: BareServer;
  const processed: string[] = [];
  before(async () => {
    const schema = { body: { type: 'object', properties: { number: { type: 'integer' } } } } as const;
    const config = { access: 'public' } as const;
    const handle = async (request: FastifyRequest) => {
      const { number } = request.params as { number: string };
      processed.push(number);
      // Later requests are ready before earlier ones.
      for (let turns = (Number(number) * 7) % 11; turns > 0; turns--) await nextTurn();
      return (request.body as object | undefined) ?? { number: Number(number) };
    };
    server = await startBareServer({}, (app) => {
      app.get('/things/:number', { config }, handle);
      app.post('/things/:number', { schema, config }, handle);
    });
  });
  after(() => server.app.close());

  for (const [title, pieceLength] of [
    ['in one packet', 1_000_000],
    ['in pieces of 97 bytes', 97],
  ] as const) {
    test(`each of 60 pipelined requests ${title} gets its own response, in order, on three connections`, async () => {
      const requests = Array.from({ length: 60 }, (_, number) => createRequest(number));
      const bytes = requests.map(([request]) => request).join('') + LAST;
      const exchange = async () => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setNoDelay(true);
        const received = socket.toArray();
        for (let at = 0; at < bytes.length; at += pieceLength) {
          socket.write(bytes.slice(at, at + pieceLength));
          await nextTurn();
        }
        return parseResponses(Buffer.concat(await received));
      };
      for (const responses of await Promise.all([1, 2, 3].map(exchange))) {
        assert.equal(responses.length, requests.length + 1);
        for (const [index, [, expected]] of requests.entries()) {
          const { status, headers, text: body } = responses[index]!;
          assert.ok(`${headers.get('x-request-id')} ${status} ${body}`.startsWith(expected), expected);
        }
      }
    });
  }

  test('requests behind one whose response closes the connection are not processed', async () => {
    const closing = 'GET /things/first HTTP/1.1\r\nHost: a b\r\n\r\n';
    processed.length = 0;
    const responses = await sendRaw(
      server.url,
      `${createRequest(3)[0]}${closing}${createRequest(4)[0]}${LAST}`,
    );
    const statuses = responses.map(({ status }) => status);
    assert.deepEqual([statuses, processed], [[200, 400], ['3']]);
  });

  test('methods of RTSP get a 404, and a 400 with the version of HTTP', async () => {
    for (const [line, status] of [
      ['PLAY /things/1 RTSP/1.0', 404],
      ['PLAY /things/1 HTTP/1.1', 400],
    ] as const) {
      const [response] = await sendRaw(server.url, `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`);
      assert.equal(response?.status, status);
    }
  });
});

describe('slow clients', () => {
  // Longer than a busy machine takes to read what was sent, or the first request ends before it is read.
  const short = { headers: 100, request: 100, check: 5, stalled: 50 };
  const responsesTo = async (context: TestContext, bytes: string) => {
    const server = await startBareServer({ timeouts: { ...short, stalled: 20_000 } });
    context.after(() => server.app.close());
    return sendRaw(server.url, bytes);
  };

  test('the timeouts are 15 s for headers, 30 s for whole requests, and 120 s without traffic', () => {
    assert.deepEqual(TIMEOUTS, { headers: 15_000, request: 30_000, check: 2_000, stalled: 120_000 });
  });

  for (const [title, bytes, code] of [
    ['nothing', '', 'request_timeout'],
    ['a part of the headers', 'GET /livez HTTP/1.1\r\nHost: local', 'request_timeout'],
    [
      'a part of a body that no route reads',
      'POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
      'not_found',
    ],
  ] as const) {
    test(`a client that sends ${title} gets one response, ${code}, and is disconnected`, async (context) => {
      const responses = await responsesTo(context, bytes);
      assert.deepEqual(
        responses.map(({ text: body }) => JSON.parse(body).code),
        [code],
      );
    });
  }

  test('a client that does not read its response is disconnected', async (context) => {
    const timeouts = { ...TIMEOUTS, stalled: short.stalled };
    const server = await startBareServer({ timeouts }, (app) => {
      // More than the buffers of both sockets hold.
      app.get('/large', { config: { access: 'public' } }, async (_request, reply) =>
        reply.header('content-type', 'text/plain').send(Buffer.alloc(32 * 2 ** 20, 'x')),
      );
    });
    context.after(() => server.app.close());
    const accepted = once(server.app.server, 'connection');
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
    context.after(() => socket.destroy());
    socket.on('error', () => {}).write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    const [near] = await accepted;
    await once(near, 'close');
  });
});

const SOON = 20;
const NEVER = 3_600_000;
const HALF_HEAD = 'GET / HTTP/1.1\r\nHo';
const HALF_BODY = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nhalf';
const WHOLE = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function open(context: TestContext, listener: RequestListener, times: Partial<DrainTimes>) {
  const connections = new Connections();
  const server = createServer(listener);
  connections.track(server);
  const close = () => new Promise((resolve) => server.close(resolve));
  const drain = () => connections.drain(close, { head: NEVER, body: NEVER, deadline: NEVER, ...times });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Resolves when the server has the connection and, of a request with a whole head, that request. */
  const client = async (bytes: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    context.after(() => socket.destroy());
    const accepted = once(server, bytes.includes('\r\n\r\n') ? 'request' : 'connection');
    socket.write(bytes);
    await accepted;
    return socket;
  };
  return { drain, client };
}

const echo: RequestListener = async (request, response) => {
  response.writeHead(200, { connection: 'close' }).end(await text(request).catch(() => ''));
};

/** Resolves when the server has closed or reset the connection. */
const closed = (socket: Socket) =>
  new Promise((resolve) => socket.resume().on('error', resolve).on('close', resolve));

describe('drain', () => {
  test('drain closes connections with incomplete requests after their time and is complete', async (context) => {
    const { drain, client } = await open(context, echo, { head: SOON, body: 2 * SOON });
    const sockets = [await client(''), await client(HALF_HEAD), await client(HALF_BODY)];
    const [isComplete] = await Promise.all([drain(), ...sockets.map(closed)]);
    assert.equal(isComplete, true);
  });

  for (const isHeadSent of [false, true]) {
    const when = isHeadSent ? 'whose header was sent before' : 'which announces it';
    test(`drain closes a persistent connection after the response in progress, ${when}`, async (context) => {
      let respond = () => {};
      const listener: RequestListener = ({ method }, response) => {
        if (method !== 'GET') return;
        if (isHeadSent) response.flushHeaders();
        respond = () => response.end('done');
      };
      const { drain, client } = await open(context, listener, { head: SOON, body: SOON });
      const persistent = await client('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const late = [await client(HALF_HEAD), await client(HALF_BODY)];
      const drained = drain();
      await Promise.all(late.map(closed));
      // All times but the deadline are over.
      respond();
      const response = await text(persistent);
      assert.match(response, /done/);
      assert.equal(/^connection: close/im.test(response), !isHeadSent);
      assert.equal(await drained, true);
    });
  }

  test('drain waits longer for the rest of a body than for the rest of a head', async (context) => {
    const { drain, client } = await open(context, echo, { head: SOON });
    const slow = await client(HALF_BODY);
    const late = await client(HALF_HEAD);
    const drained = drain();
    await closed(late);
    slow.write('time');
    assert.match(await text(slow), /halftime/);
    assert.equal(await drained, true);
  });

  test('drain closes all connections at the deadline and is incomplete', async (context) => {
    const { drain, client } = await open(context, () => {}, { deadline: SOON });
    const whole = await client(WHOLE);
    const [isComplete] = await Promise.all([drain(), closed(whole)]);
    assert.equal(isComplete, false);
  });
});

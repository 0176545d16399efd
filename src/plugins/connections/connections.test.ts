import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { sendRaw } from '../../../test/support/raw-http.ts';
import { Connections } from './connections.ts';
import { TIMEOUTS } from './node-server.ts';

/** More than the buffers of both sockets hold. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x');
const GET = 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n';

const thing = (handle: (reply: FastifyReply) => unknown) => (app: FastifyInstance) => {
  app.get('/thing', { config: { access: 'public' } }, async (_request, reply) => handle(reply));
};
const sendLarge = (reply: FastifyReply) => reply.header('content-type', 'text/plain').send(LARGE);

/** Connects a client that sends these bytes and does not read. */
async function connectIdle(context: TestContext, url: string, bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  context.after(() => socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

describe('pipelined requests', () => {
  test('pipelined requests are processed one after the other and responded to in order', async (context) => {
    let running = 0;
    let count = 0;
    let mostAtOnce = 0;
    const handle = async () => {
      running++;
      mostAtOnce = Math.max(mostAtOnce, running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return { number: ++count };
    };
    const server = await startBareServer({}, thing(handle));
    context.after(() => server.app.close());
    const last = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const responses = await sendRaw(server.url, GET.repeat(59) + last);
    const numbers = responses.map(({ text }) => JSON.parse(text).number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    assert.equal(mostAtOnce, 1);
  });

  test('pipelined requests behind a response that is not read are not processed', async (context) => {
    let processed = 0;
    const handle = (reply: FastifyReply) => {
      processed++;
      return sendLarge(reply);
    };
    const server = await startBareServer({}, thing(handle));
    context.after(() => server.app.close());
    const received = once(server.app.server, 'request');
    await connectIdle(context, server.url, GET.repeat(10));
    await received;
    // The server responds to another connection in between.
    await sendRaw(server.url, 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.equal(processed, 1);
  });

  test('pipelined requests of all clients together are bounded: beyond, the connection is closed', async (context) => {
    const connections = new Connections(2);
    let processed = 0;
    const server = createServer(
      connections.listener((_request, response) => {
        processed++;
        response.end(LARGE);
      }),
    );
    connections.track(server);
    context.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [rejected] = await Promise.all([
      once(server, 'connection'),
      connectIdle(context, url, GET.repeat(4)),
    ]);
    await once(rejected[0], 'close');
    assert.equal(processed, 1);
    // The waiting requests of a closed connection are not counted any more.
    const last = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const responses = await sendRaw(url, GET.repeat(2) + last);
    assert.equal(responses.length, 3);
  });
});

test('a client that does not read its response is disconnected', async (context) => {
  const timeouts = { ...TIMEOUTS, stalled: 50 };
  const server = await startBareServer({ timeouts }, thing(sendLarge));
  context.after(() => server.app.close());
  const closed = new Promise((resolve) => {
    server.app.server.on('connection', (socket: Socket) => socket.once('close', resolve));
  });
  await connectIdle(context, server.url, GET);
  await closed;
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { sendRaw } from '../../../test/support/raw-http.ts';
import { type HandlerResponse, route } from '../route.ts';
import { trackConnections } from './connections.ts';
import { TIMEOUTS } from './fastify-options.ts';

/** More than the buffers of both sockets hold. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x');
const GET = 'GET /thing HTTP/1.1\r\nHost: a\r\n\r\n';

function thing(handle: () => Promise<HandlerResponse>) {
  return route({
    method: 'GET',
    path: '/thing',
    operationId: 'getThing',
    tag: 'Things',
    summary: 'A thing',
    access: 'public',
    mediaType: '*/*',
    responses: { 200: { description: 'A thing.' } },
    handle,
  });
}

const largeThing = thing(async () => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: LARGE,
}));

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
  test('processes pipelined requests one after the other and responds in order', async (context) => {
    let running = 0;
    let count = 0;
    let maxConcurrent = 0;
    const handle = async () => {
      running++;
      maxConcurrent = Math.max(maxConcurrent, running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return { status: 200, body: { number: ++count } };
    };
    const server = await startBareServer({}, [thing(handle)]);
    context.after(() => server.app.close());
    const last = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const responses = await sendRaw(server.url, GET.repeat(59) + last);
    const numbers = responses.map(({ text }) => JSON.parse(text).number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    assert.equal(maxConcurrent, 1);
  });

  test('does not process pipelined requests behind a response that the client does not read', async (context) => {
    let processed = 0;
    const handle = async () => {
      processed++;
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: LARGE };
    };
    const server = await startBareServer({}, [thing(handle)]);
    context.after(() => server.app.close());
    const received = once(server.app.server, 'request');
    await connectIdle(context, server.url, GET.repeat(10));
    await received;
    // The server responds to another connection in between.
    await sendRaw(server.url, 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.equal(processed, 1);
  });

  test('closes the connection of a pipelined request beyond the limit of all waiting requests', async (context) => {
    const server = await startBareServer({}, [largeThing]);
    context.after(() => server.app.close());
    const limited = trackConnections(server.app.server, 2);
    const closed: boolean[] = [];
    server.app.server.on('request', (request) => {
      limited.inTurn(request, () => {});
      closed.push(request.socket.destroyed);
    });
    const socket = await connectIdle(context, server.url, GET.repeat(4));
    await once(socket.resume(), 'close');
    assert.deepEqual(closed, [false, false, false, true]);
  });

  test('does not count the waiting requests of a closed connection', async (context) => {
    const server = await startBareServer({}, [largeThing]);
    context.after(() => server.app.close());
    const limited = trackConnections(server.app.server, 2);
    const connectAndQueue = async () => {
      const rejected: boolean[] = [];
      const all = new Promise<void>((resolve) => {
        server.app.server.on('request', function count(request) {
          limited.inTurn(request, () => {});
          rejected.push(request.socket.destroyed);
          if (rejected.length < 3) return;
          server.app.server.off('request', count);
          request.socket.once('close', resolve);
        });
      });
      const socket = await connectIdle(context, server.url, GET.repeat(3));
      await once(server.app.server, 'request');
      return {
        rejected,
        close: () => {
          socket.resetAndDestroy();
          return all;
        },
      };
    };
    const first = await connectAndQueue();
    await first.close();
    const second = await connectAndQueue();
    await second.close();
    assert.deepEqual([first.rejected, second.rejected], [Array(3).fill(false), Array(3).fill(false)]);
  });
});

test('disconnects a client that does not read its response', async (context) => {
  const timeouts = { ...TIMEOUTS, stalled: 50 };
  const server = await startBareServer({ timeouts }, [largeThing]);
  context.after(() => server.app.close());
  const closed = new Promise((resolve) => {
    server.app.server.on('connection', (socket: Socket) => socket.once('close', resolve));
  });
  await connectIdle(context, server.url, GET);
  await closed;
});

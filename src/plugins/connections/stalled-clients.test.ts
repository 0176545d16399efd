import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { startBareServer } from '../../../test/support/bare-server.ts';
import { idleTimes, waitForFirstRequests } from '../../../test/support/idle-time.ts';
import { parseResponses } from '../../../test/support/raw-http.ts';
import { TIMEOUTS } from './node-server.ts';

const TIMES = { ...TIMEOUTS, stalled: 20, headers: 100, check: 10 };
/** More than the buffers of both sockets hold. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x');
const request = (line: string, ...fields: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', ...fields].join('\r\n')}\r\n\r\n`;
const json = (...fields: string[]) => ['Content-Type: application/json', 'Content-Length: 2', ...fields];
const SLOW = request('GET /slow');
const LAST_SLOW = request('GET /slow', 'Connection: close');
const LARGE_RESPONSE = request('GET /large');

/** Lets the idle time of the connection pass twice. */
const twiceIdle = async ({ raw }: FastifyRequest) => idleTimes(raw.socket, 2);

function routes(app: FastifyInstance): void {
  const config = { access: 'public' } as const;
  const schema = { body: { type: 'object', properties: {} } } as const;
  const done = async () => ({ message: 'done' });
  app.get('/quick', { config }, done);
  app.get('/slow', { config, preHandler: twiceIdle }, done);
  app.post('/slow', { config, schema, preHandler: twiceIdle }, done);
  app.get('/large', { config }, async (_request, reply) =>
    reply.header('content-type', 'text/plain').send(LARGE),
  );
  app.post('/body', { config, schema }, done);
  app.post('/slow-admission', { config, schema, onRequest: twiceIdle }, done);
}

interface Connected {
  readonly client: Socket;
  /** The side of the server. */
  readonly socket: Socket;
  /** All that the client has received until the server closed the connection. */
  readonly received: Promise<Buffer>;
}

/** Connects a client that sends these bytes to a server with a short idle time. */
async function connectClient(context: TestContext, bytes: string): Promise<Connected> {
  const { app, url } = await startBareServer({ timeouts: TIMES }, routes);
  waitForFirstRequests(app.server);
  const accepted = once(app.server, 'connection');
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  context.after(async () => {
    client.destroy();
    await app.close();
  });
  const chunks: Buffer[] = [];
  client.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server resets a connection whose client has sent more than it has read.
  client.on('error', () => {});
  const received = once(client, 'close').then(() => Buffer.concat(chunks));
  client.write(bytes);
  const [socket] = await accepted;
  return { client, socket, received };
}

const statuses = (bytes: Buffer) => parseResponses(bytes).map(({ status }) => status);

describe('clients that wait for the service', () => {
  test('a request that is processed for longer than clients may stall gets its response', async (context) => {
    const { received } = await connectClient(context, LAST_SLOW);
    assert.deepEqual(statuses(await received), [200]);
  });

  test('pipelined requests that are processed for longer than clients may stall get their responses', async (context) => {
    const { received } = await connectClient(context, SLOW + SLOW + LAST_SLOW);
    assert.deepEqual(statuses(await received), [200, 200, 200]);
  });

  test('a request whose successor is incomplete gets its response', async (context) => {
    const { received } = await connectClient(context, `${SLOW}${request('POST /body', ...json())}{`);
    assert.deepEqual(statuses(await received), [200]);
  });

  test('a request with a body that is processed for longer than clients may stall gets its response', async (context) => {
    const body = request('POST /slow', ...json('Connection: close'));
    const { received } = await connectClient(context, `${body}{}`);
    assert.deepEqual(statuses(await received), [200]);
  });

  test('a client that waits for 100 Continue for longer than clients may stall is not disconnected', async (context) => {
    const head = request('POST /slow-admission', ...json('Expect: 100-continue', 'Connection: close'));
    const { client, socket, received } = await connectClient(context, head);
    await idleTimes(socket, 2);
    // The client has any time for its body.
    socket.setTimeout(0);
    await once(client, 'data');
    client.write('{}');
    assert.deepEqual(statuses(await received), [100, 200]);
  });
});

describe('clients that stall', () => {
  for (const [title, bytes] of [
    ['nothing', ''],
    ['a part of a body', `${request('POST /body', ...json())}{`],
  ] as const) {
    test(`a client that sends ${title} is disconnected without a response`, async (context) => {
      const { socket, received } = await connectClient(context, bytes);
      if (bytes === '') socket.setTimeout(TIMES.stalled);
      assert.equal(String(await received), '');
    });
  }

  test('a client that sends a part of a head gets a response when the time for the head has passed', async (context) => {
    const { received } = await connectClient(context, 'GET / HTTP/1.1\r\nHo');
    assert.deepEqual(statuses(await received), [408]);
  });

  test('a client that sends no body after 100 Continue is disconnected', async (context) => {
    const head = request('POST /slow-admission', ...json('Expect: 100-continue'));
    const { received } = await connectClient(context, head);
    assert.deepEqual(statuses(await received), [100]);
  });

  test('a client that sends a part of a body before its request is admitted and nothing after is disconnected', async (context) => {
    const { received } = await connectClient(context, `${request('POST /slow-admission', ...json())}{`);
    assert.equal(String(await received), '');
  });

  test('a client that does not read a response is disconnected, also after one that took long', async (context) => {
    const { client, socket } = await connectClient(context, SLOW);
    await once(client, 'data');
    const closed = once(socket, 'close');
    client.pause().write(LARGE_RESPONSE);
    await closed;
  });

  test('a client that does not read a pipelined response is disconnected', async (context) => {
    const { client, socket } = await connectClient(context, SLOW + LARGE_RESPONSE);
    const closed = once(socket, 'close');
    client.pause();
    await closed;
  });

  test('a connection between two requests is closed when its time has passed', async (context) => {
    const { client, socket, received } = await connectClient(context, request('GET /quick'));
    await once(client, 'data');
    assert.ok(socket.timeout! >= 75_000);
    socket.setTimeout(TIMES.stalled);
    assert.deepEqual(statuses(await received), [200]);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { trackConnections } from './connections.ts';
import { type DrainTimes, drain as drainServer } from './drain.ts';

const SOON = 20;
const NEVER = 3_600_000;
const HALF_HEAD = 'GET / HTTP/1.1\r\nHo';
const HALF_BODY = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nhalf';
const WHOLE = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function open(context: TestContext, listener: RequestListener, times: Partial<DrainTimes>) {
  const server = createServer(listener);
  const connections = trackConnections(server);
  const close = () => new Promise((resolve) => server.close(resolve));
  const allTimes = { head: NEVER, body: NEVER, deadline: NEVER, ...times };
  const drain = () => drainServer(server, connections, close, allTimes);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Resolves when the server has the connection. */
  const client = async (bytes: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    context.after(() => socket.destroy());
    const accepted = once(server, 'connection');
    socket.write(bytes);
    await accepted;
    return socket;
  };
  return { drain, client, server };
}

const body = (request: IncomingMessage) => text(request);

/** The server gave the connection up: with an end or a reset. */
const closed = (socket: Socket) =>
  new Promise((resolve) => socket.resume().on('error', resolve).on('close', resolve));

test('what never becomes a whole request does not hold up the end, nor count as cut off', async (context) => {
  const { drain, client } = await open(context, body, { head: SOON, body: 2 * SOON });
  const sockets = [await client(''), await client(HALF_HEAD), await client(HALF_BODY)];
  const [isComplete] = await Promise.all([drain(), ...sockets.map(closed)]);
  assert.equal(isComplete, true);
});

test('a whole request keeps its time when those that are not whole are given up', async (context) => {
  const answers: (() => void)[] = [];
  const { drain, client, server } = await open(
    context,
    (request, response) => {
      if (request.method === 'GET') answers.push(() => response.end('answered'));
    },
    { head: SOON, body: SOON },
  );
  const arrived = once(server, 'request');
  const whole = await client(WHOLE);
  await arrived;
  const late = [await client(HALF_HEAD), await client(HALF_BODY)];
  const drained = drain();
  await Promise.all(late.map(closed));
  for (const answer of answers) answer();
  assert.match(await text(whole), /^HTTP\/1\.1 200 OK\r\n.*answered/s);
  assert.equal(await drained, true);
});

test('a body that is still coming in has longer than a head', async (context) => {
  const echo: RequestListener = async (request, response) => {
    response.writeHead(200, { connection: 'close' }).end(await body(request));
  };
  const { drain, client, server } = await open(context, echo, { head: SOON });
  const arrived = once(server, 'request');
  const slow = await client(HALF_BODY);
  await arrived;
  const late = await client(HALF_HEAD);
  const drained = drain();
  await closed(late);
  slow.write('time');
  assert.match(await text(slow), /halftime/);
  assert.equal(await drained, true);
});

test('at the deadline a request without an answer is cut off, and that is told', async (context) => {
  const { drain, client, server } = await open(context, () => {}, { deadline: SOON });
  const arrived = once(server, 'request');
  const whole = await client(WHOLE);
  await arrived;
  const [isComplete] = await Promise.all([drain(), closed(whole)]);
  assert.equal(isComplete, false);
});

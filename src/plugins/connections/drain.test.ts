import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Connections } from './connections.ts';
import { type DrainTimes, drain as drainServer } from './drain.ts';

const SOON = 20;
const NEVER = 3_600_000;
const HALF_HEAD = 'GET / HTTP/1.1\r\nHo';
const HALF_BODY = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nhalf';
const WHOLE = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function open(context: TestContext, listener: RequestListener, times: Partial<DrainTimes>) {
  const connections = new Connections();
  const server = createServer(connections.listener(listener));
  connections.track(server);
  const close = () => new Promise((resolve) => server.close(resolve));
  const allTimes = { head: NEVER, body: NEVER, deadline: NEVER, ...times };
  const drain = () => drainServer({ server, connections, close, times: allTimes });
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

/** Resolves when the server has closed or reset the connection. */
const closed = (socket: Socket) =>
  new Promise((resolve) => socket.resume().on('error', resolve).on('close', resolve));

test('drain closes connections with incomplete requests after their time and is complete', async (context) => {
  const { drain, client } = await open(context, body, { head: SOON, body: 2 * SOON });
  const sockets = [await client(''), await client(HALF_HEAD), await client(HALF_BODY)];
  const [isComplete] = await Promise.all([drain(), ...sockets.map(closed)]);
  assert.equal(isComplete, true);
});

test('drain responds to a complete request after connections with incomplete requests were closed', async (context) => {
  const responses: (() => void)[] = [];
  const { drain, client, server } = await open(
    context,
    (request, response) => {
      if (request.method === 'GET') responses.push(() => response.end('done'));
    },
    { head: SOON, body: SOON },
  );
  const arrived = once(server, 'request');
  const whole = await client(WHOLE);
  await arrived;
  const late = [await client(HALF_HEAD), await client(HALF_BODY)];
  const drained = drain();
  await Promise.all(late.map(closed));
  for (const respond of responses) respond();
  assert.match(await text(whole), /^HTTP\/1\.1 200 OK\r\n.*done/s);
  assert.equal(await drained, true);
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
    const { drain, client, server } = await open(context, listener, { head: SOON, body: SOON });
    const received = async (bytes: string) => {
      const [socket] = await Promise.all([client(bytes), once(server, 'request')]);
      return socket;
    };
    const persistent = await received('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const late = await received(HALF_BODY);
    const drained = drain();
    await closed(late);
    // All times but the deadline are over.
    respond();
    const response = await text(persistent);
    assert.match(response, /done/);
    assert.equal(/^connection: close/im.test(response), !isHeadSent);
    assert.equal(await drained, true);
  });
}

test('drain waits longer for the rest of a body than for the rest of a head', async (context) => {
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

test('drain closes all connections at the deadline and is incomplete', async (context) => {
  const { drain, client, server } = await open(context, () => {}, { deadline: SOON });
  const arrived = once(server, 'request');
  const whole = await client(WHOLE);
  await arrived;
  const [isComplete] = await Promise.all([drain(), closed(whole)]);
  assert.equal(isComplete, false);
});

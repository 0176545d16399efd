import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { startBareServer } from '../../test/support/bare-server.ts';
import { createLog } from '../lib/log/log.ts';
import { TIMEOUTS } from './fastify-options.ts';

/** Starts a server that responds with this stream, and collects its log. */
async function serve(context: TestContext, body: Readable, stalled = TIMEOUTS.stalled) {
  const lines: Record<string, unknown>[] = [];
  const { promise: logged, resolve } = Promise.withResolvers<void>();
  const logger = createLog('info', {
    write(line) {
      lines.push(JSON.parse(line));
      if ('route' in lines.at(-1)!) resolve();
    },
  });
  const streamRoute = (app: FastifyInstance) => {
    const schema = { response: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } };
    app.get('/stream', { schema, config: { access: 'public' } }, async (_request, reply) =>
      reply.header('content-type', 'text/plain').sendStream(body),
    );
  };
  const { url, app } = await startBareServer({ logger, timeouts: { ...TIMEOUTS, stalled } }, streamRoute);
  context.after(() => app.close());
  /** `logged` resolves when the line of the request was written. */
  return { url, lines, logged };
}

async function* endless() {
  for (;;) yield 'x'.repeat(65_536);
}

function request(url: string, version = '1.1') {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET /stream HTTP/${version}\r\nHost: local\r\n\r\n`);
  return socket;
}

describe('a response whose body is a stream', () => {
  test('a streamed response is sent completely and logged once', async (context) => {
    const { url, lines, logged } = await serve(context, Readable.from(['one\n', 'two\n']));
    const response = await fetch(`${url}/stream`);
    assert.equal(response.headers.get('content-type'), 'text/plain');
    assert.equal(await response.text(), 'one\ntwo\n');
    await logged;
    assert.equal(lines.length, 1);
  });

  for (const version of ['1.1', '1.0']) {
    test(`a streamed response ends with a reset of the connection when the stream fails, also for HTTP/${version}`, async (context) => {
      const { promise: failed, reject } = Promise.withResolvers<never>();
      failed.catch(() => {});
      const body = Readable.from(
        (async function* () {
          yield 'begun';
          await failed;
        })(),
      );
      const { url, lines, logged } = await serve(context, body);
      const socket = request(url, version);
      const [begun] = await once(socket, 'data');
      assert.match(String(begun), /^HTTP\/1\.1 200 /);
      const closed = once(socket, 'close').catch((error) => error);
      reject(new Error('the database has gone'));
      assert.equal((await closed).code, 'ECONNRESET');
      await logged;
      assert.deepEqual(
        lines.map(({ msg, err, route: path }) => [msg, (err as Error | undefined)?.message, path]),
        [
          ['the body of a response failed', 'the database has gone', undefined],
          [undefined, undefined, '/stream'],
        ],
      );
      assert.equal(lines[0]!.request_id, lines[1]!.request_id);
    });
  }

  test('the stream of a response is destroyed and logged when the client disconnects', async (context) => {
    const body = Readable.from(endless());
    const closed = once(body, 'close');
    const { url, lines, logged } = await serve(context, body);
    const socket = request(url);
    await once(socket, 'data');
    socket.destroy();
    await closed;
    await logged;
    assert.equal(lines.length, 1);
  });

  test('the stream of a client that stops reading is destroyed, although the stream goes on', async (context) => {
    const body = new Readable({ read() {} });
    body.push(Buffer.alloc(32 * 2 ** 20, 'x'));
    const comments = setInterval(() => body.push(': keep-alive\n\n'), 5);
    context.after(() => clearInterval(comments));
    const closed = once(body, 'close');
    const { url } = await serve(context, body, 50);
    const socket = request(url).pause();
    context.after(() => socket.destroy());
    await closed;
    clearInterval(comments);
  });

  test('a stream ends with a reset of the connection when its credential is not accepted any more', async (context) => {
    let isAccepted = true;
    const { url, app } = await startBareServer({ isAdmin: () => isAccepted, streamCheckMs: 5 }, (routes) => {
      const schema = { response: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } } };
      routes.get('/stream', { schema, config: { access: 'admin', scope: 'any' } }, async (_request, reply) =>
        reply.header('content-type', 'text/plain').sendStream(Readable.from(endless())),
      );
    });
    context.after(() => app.close());
    const { body } = await fetch(`${url}/stream`, { headers: { authorization: 'Bearer secret' } });
    const reader = body!.getReader();
    await reader.read();
    isAccepted = false;
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    });
  });

  test('a streamed response has no body and no Content-Length for HEAD, and its stream is not read', async (context) => {
    let isRead = false;
    const body = new Readable({
      read() {
        isRead = true;
        this.push(null);
      },
    });
    const { url, logged } = await serve(context, body);
    const response = await fetch(`${url}/stream`, { method: 'HEAD' });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/plain']);
    assert.equal(response.headers.get('content-length'), null);
    await logged;
    assert.deepEqual([isRead, body.destroyed], [false, true]);
  });
});

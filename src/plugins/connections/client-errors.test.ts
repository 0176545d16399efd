import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BareServer, startBareServer } from '../../../test/support/bare-server.ts';
import { pluck } from '../../../test/support/pluck.ts';
import { parseResponses, rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { admin, newUserData, useSharedService } from '../../../test/support/service.ts';
import { createDefaultHeaders } from '../default-headers.ts';
import { closeLingering, createClientErrorHandler } from './client-errors.ts';
import { Connections } from './connections.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const users = 'POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

const malformed: [title: string, bytes: string][] = [
  ['a request line without a method and a version', 'hello\r\n\r\n'],
  ['a method that does not exist', rawRequest('FOO', '/livez').toString()],
  ['a method in lower case', rawRequest('get', '/livez').toString()],
  ['a request line without a path', 'GET\r\nHost: localhost\r\n\r\n'],
  ['bytes above ASCII in the path', rawRequest('GET', '/api/v1/users/\u00e9').toString()],
  ['a version that does not exist', 'GET /livez HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ['a version that has another syntax', 'GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n'],
  ['a request line without a version', 'GET /livez\r\nHost: localhost\r\n\r\n'],
  ['HTTP/1.1 without Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a space before the colon of a field', rawRequest('GET', '/livez', ['A : b']).toString()],
  ['a field without a colon', rawRequest('GET', '/livez', ['nonsense']).toString()],
  ['a folded field', rawRequest('GET', '/livez', ['A: b', ' c']).toString()],
  ['U+0000 in a field', rawRequest('GET', '/livez', ['A: b\u0000c']).toString()],
  ['a bare line feed in a field', rawRequest('GET', '/livez', ['A: b\nHost: c']).toString()],
  ['an invalid Host', 'GET /livez HTTP/1.1\r\nHost: a b/c@d\r\n\r\n'],
  ['a negative Content-Length', `${users}Content-Length: -1\r\n\r\n`],
  ['two Content-Length fields that differ', `${users}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  [
    'Content-Length beside Transfer-Encoding',
    `${users}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a transfer coding that is not chunked', `${users}Transfer-Encoding: gzip\r\n\r\n`],
  ['a transfer coding besides chunked', `${users}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['a chunk without a size', `${users}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
];

describe('malformed requests', () => {
  const service = useSharedService('sqlite');

  for (const [title, bytes] of malformed) {
    test(`the service rejects ${title} with a 400 in JSON and closes the connection`, async () => {
      const { status, headers, text } = await sendRawOnce(service.api.url, Buffer.from(bytes, 'latin1'));
      assert.equal(status, 400);
      assert.deepEqual(JSON.parse(text), { error: 'The request is malformed', code: 'malformed_request' });
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('connection'), 'close');
      assert.match(headers.get('x-request-id')!, UUID);
      assert.ok(Date.parse(headers.get('date')!) > 0);
    });
  }

  for (const [title, bytes] of [
    ['a header', rawRequest('GET', '/livez', [`X-Big: ${'a'.repeat(16_384)}`])],
    ['many headers', rawRequest('GET', '/livez', Array(900).fill('X-Many: aaaaaaaaaaaaa'))],
    ['a URL', rawRequest('GET', `/api/v1/users/${'a'.repeat(16_384)}`)],
  ] as const) {
    test(`the service rejects ${title} beyond 16 KiB with a 431 in JSON`, async () => {
      const { status, reason, text } = await sendRawOnce(service.api.url, bytes);
      assert.deepEqual([status, reason], [431, 'Request Header Fields Too Large']);
      const message = 'Request Header Fields Too Large';
      assert.deepEqual(JSON.parse(text), {
        statusCode: 431,
        code: 'headers_too_large',
        error: message,
        message,
      });
    });
  }

  test('complete requests before invalid bytes get their response, and then a 400 follows', async () => {
    const first = `${users}Content-Length: 2\r\n\r\n{}`;
    const responses = await sendRaw(service.api.url, `${first}${first}GARBAGE\r\n\r\n`);
    assert.deepEqual(pluck(responses, 'status'), [201, 201, 400]);
  });

  test('bytes after the last request of a connection are ignored', async () => {
    for (const bytes of [`${rawRequest('POST', '/api/v1/users')}xx`, 'GET /livez HTTP/1.0\r\n\r\nxx']) {
      const { status } = await sendRawOnce(service.api.url, bytes);
      assert.ok(status === 201 || status === 200);
    }
  });

  const closing: [title: string, status: number, request: string][] = [
    ['an invalid Host', 400, 'GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a transfer coding besides chunked', 400, `${users}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    [
      'a body in chunks that is too large',
      413,
      `${users}Transfer-Encoding: chunked\r\n\r\n200000\r\n${' '.repeat(2 ** 21)}\r\n0\r\n\r\n`,
    ],
  ];
  for (const [title, status, request] of closing) {
    test(`requests behind ${title} are not processed`, async () => {
      const { email } = newUserData();
      const body = JSON.stringify({ email });
      const behind = `${users}Content-Length: ${body.length}\r\n\r\n${body}`;
      assert.equal((await sendRawOnce(service.api.url, `${request}${behind}${behind}`)).status, status);
      const list = await service.api.get(`/api/v1/users?email=${email}`, admin);
      assert.deepEqual(list.body.data, []);
    });
  }
});

/** Opens a connection and returns both ends. */
async function socketPair(options = {}): Promise<{ near: Socket; far: Socket; close(): void }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const far = connect({ port, host: '127.0.0.1', ...options });
  const [near] = (await once(server, 'connection')) as [Socket];
  return { near, far, close: () => server.close() };
}

const connections = new Connections();
const handleClientError = createClientErrorHandler(
  connections,
  createDefaultHeaders({ tls: true, cors: false }),
);

async function responsesTo(code: string) {
  const { near, far, close } = await socketPair();
  handleClientError(Object.assign(new Error('detail of the parser'), { code }), near);
  const received = await far.toArray();
  close();
  return parseResponses(Buffer.concat(received));
}

describe('createClientErrorHandler', () => {
  for (const [code, status, problem] of [
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
    ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
    ['HPE_INVALID_METHOD', 400, 'malformed_request'],
  ] as const) {
    test(`createClientErrorHandler responds to ${code} with ${status} ${problem} and without the parser's message`, async () => {
      const [response, ...others] = await responsesTo(code);
      assert.equal(others.length, 0);
      assert.equal(response?.status, status);
      assert.equal(JSON.parse(response!.text).code, problem);
      assert.ok(!response!.text.includes('parser'));
      assert.match(response!.headers.get('strict-transport-security')!, /^max-age/);
    });
  }

  test('createClientErrorHandler sends no response over a connection that the client has reset', async () => {
    assert.deepEqual(await responsesTo('ECONNRESET'), []);
  });

  test('createClientErrorHandler closes the connection of a client that keeps its side open', async () => {
    const { near, far, close } = await socketPair({ allowHalfOpen: true });
    handleClientError(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), near);
    await Promise.all([once(near, 'close'), once(far.resume(), 'end')]);
    far.destroy();
    close();
  });

  test('createClientErrorHandler does not write to a connection that is already closed', async () => {
    const { near, far, close } = await socketPair();
    near.end();
    handleClientError(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), near);
    const [received] = await Promise.all([far.toArray(), once(near, 'close')]);
    assert.equal(Buffer.concat(received).length, 0);
    close();
  });
});

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
  ['a client whose path is unknown', 404, `POST /nowhere HTTP/1.1\r\n${closing}`],
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

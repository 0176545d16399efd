import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { after, describe, test } from 'node:test';
import { type Receiver, type Respond, respondWith, startReceiver } from '../../../test/support/receiver.ts';
import { SELF_SIGNED } from '../../../test/support/self-signed.ts';
import { until } from '../../../test/support/until.ts';
import { createAddressPolicy } from './address-policy.ts';
import type { ResolveAddresses } from './guarded-connector.ts';
import { createPostClient, type PostClientOptions } from './post-client.ts';

const LOOPBACK = createAddressPolicy(['127.0.0.0/8', '::1']);
const NOBODY = createAddressPolicy([]);
const NO_CONTENT = respondWith('HTTP/1.1 204 No Content\r\n\r\n', { end: false });
const never = new AbortController().signal;

/** Returns a resolver with these addresses, one list for each lookup, and the names that it was called with. */
function fakeResolver(...answers: (readonly string[] | NodeJS.ErrnoException)[]) {
  const names: string[] = [];
  const resolve: ResolveAddresses = (name, _, callback) => {
    const answer = answers[Math.min(names.length, answers.length - 1)]!;
    names.push(name);
    if (answer instanceof Error) callback(answer, []);
    else
      callback(
        null,
        answer.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  };
  return { resolve, names };
}

describe('the client for outgoing requests', () => {
  const closing: (() => Promise<void>)[] = [];
  after(() => Promise.all(closing.map((close) => close())));

  const receive = async (respond: Respond, tls = false): Promise<Receiver> => {
    const receiver = await startReceiver(respond, tls ? { tls: SELF_SIGNED } : {});
    closing.push(receiver.close);
    return receiver;
  };
  const clientWith = (options: Partial<PostClientOptions> = {}) => {
    const client = createPostClient({ policy: LOOPBACK, deadlineMs: 10_000, ...options });
    closing.push(client.close);
    const post = (url: string, signal: AbortSignal = never) =>
      client.post({ url, headers: { 'webhook-id': 'id-1' }, body: '{"name":"Ada"}', signal });
    return { ...client, post };
  };
  const client = clientWith();
  const impatient = clientWith({ deadlineMs: 250 });
  const postTo = async (respond: Respond, by = client) => by.post((await receive(respond)).url);

  test('the client sends JSON with the given headers, its version, and no cookies or credentials', async () => {
    const receiver = await receive(NO_CONTENT);
    const result = await client.post(`${receiver.url}/hook?a=1`);
    assert.deepEqual([result.status, result.error, result.line], [204, null, null]);
    assert.ok(result.durationMs >= 0);
    const [request] = receiver.requests;
    assert.equal(request!.start, 'POST /hook?a=1 HTTP/1.1');
    assert.equal(request!.body, '{"name":"Ada"}');
    const { 'user-agent': agent, ...headers } = request!.headers;
    assert.match(agent!, /^Frontdesk\/\d+\.\d+\.\d+$/);
    assert.deepEqual(headers, {
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'webhook-id': 'id-1',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'content-length': '14',
    });
  });

  test('the client uses connections again', async () => {
    const receiver = await receive(NO_CONTENT);
    for (let i = 0; i < 20; i++) assert.equal((await client.post(receiver.url)).status, 204);
    assert.ok(receiver.connections() < 5, `${receiver.connections()}`);
  });

  test('the client sends a request while many others to the same origin have no response', async () => {
    const receiver = await receive((socket, request) => {
      if (request.start.includes('/quick')) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const abort = new AbortController();
    const hanging = Array.from({ length: 20 }, () => client.post(`${receiver.url}/slow`, abort.signal));
    await until(() => receiver.requests.length === 20, 'the requests without response were received');
    assert.equal((await client.post(`${receiver.url}/quick`)).status, 204);
    abort.abort();
    for (const { error } of await Promise.all(hanging)) assert.equal(error, 'aborted');
  });

  const LINES: readonly [string, string | null][] = [
    ['accepted\nsecond line', 'accepted'],
    ['\r\n  \r\n  later  \r\n', 'later'],
    ['', null],
    ['a\x00b\x1b[31mc\x7fd\u202ee\u2028f', 'ab[31mcdef'],
    ['x'.repeat(3_000), 'x'.repeat(200)],
    ['😀'.repeat(300), '😀'.repeat(200)],
  ];
  for (const [body, line] of LINES) {
    test(`the client returns the first line of the body ${JSON.stringify(body.slice(0, 30))}`, async () => {
      const length = Buffer.byteLength(body);
      const result = await postTo(
        respondWith(`HTTP/1.1 500 Error\r\nContent-Length: ${length}\r\n\r\n${body}`),
      );
      assert.deepEqual([result.status, result.error, result.line], [500, null, line]);
    });
  }

  test('the client returns no line of a compressed body', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n';
    const result = await postTo(respondWith(`${head}abcd`));
    assert.deepEqual([result.status, result.line], [200, null]);
  });

  test('the client returns Retry-After', async () => {
    const head = 'HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n';
    assert.equal((await postTo(respondWith(head))).retryAfter, '120');
  });

  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    test(`the client does not follow a redirect with ${status}`, async () => {
      const other = await receive(NO_CONTENT);
      const head = `HTTP/1.1 ${status} Moved\r\nLocation: ${other.url}/\r\nContent-Length: 0\r\n\r\n`;
      const result = await postTo(respondWith(head));
      assert.deepEqual([result.status, result.error], [status, 'redirect']);
      assert.equal(other.connections(), 0);
    });
  }

  test('the client reads little of an endless body, and closes its connection', async () => {
    let isClosed = false;
    let sent = 0;
    const result = await postTo((socket) => {
      socket.on('close', () => {
        isClosed = true;
      });
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write('y'.repeat(65_536))) sent += 65_536;
        socket.once('drain', more);
      };
      more();
    });
    assert.deepEqual([result.status, result.error, result.line], [200, null, 'y'.repeat(200)]);
    await until(() => isClosed, 'the connection is closed');
    assert.ok(sent < 64 * 1_048_576, `${sent}`);
  });

  test('the client reports an announced huge body by its status', async () => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n`;
    const result = await postTo(respondWith(head + 'z'.repeat(10_000), { end: false }));
    assert.deepEqual([result.status, result.error], [200, null]);
  });

  const TIMEOUTS: Readonly<Record<string, Respond>> = {
    'no response': () => {},
    'a head that never ends': respondWith('HTTP/1.1 200 OK\r\nX-More: ', { end: false }),
    'headers only': respondWith('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', { end: false }),
    'a body that comes byte by byte': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const timer = setInterval(() => socket.write('.'), 10);
      socket.on('close', () => clearInterval(timer));
    },
    'interim responses without end': (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    },
  };
  for (const [name, respond] of Object.entries(TIMEOUTS)) {
    test(`the client ends a request at the deadline: ${name}`, async () => {
      const result = await postTo(respond, impatient);
      assert.equal(result.error, 'timeout');
      assert.ok(result.durationMs >= 240 && result.durationMs < 5_000, `${result.durationMs}`);
    });
  }

  test('the client ends a request at the deadline while the name is resolved', async () => {
    const waiting = clientWith({ deadlineMs: 100, resolve: () => {} });
    assert.equal((await waiting.post('https://example.com/')).error, 'timeout');
  });

  test('the client reports a status that came before the deadline', async () => {
    const result = await postTo(TIMEOUTS['headers only']!, impatient);
    assert.deepEqual([result.status, result.error], [200, 'timeout']);
  });

  const FAILURES: readonly [string, Respond, string][] = [
    ['a connection that is reset', (socket) => void socket.resetAndDestroy(), 'reset'],
    ['a connection that is closed', (socket) => void socket.end(), 'reset'],
    ['a body that is cut off', respondWith('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'), 'reset'],
    ['text that is not HTTP', respondWith('SSH-2.0-OpenSSH_9.9\r\n'), 'invalid_response'],
    [
      'two lengths',
      respondWith('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
      'invalid_response',
    ],
    ['a huge head', respondWith(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(40_000)}\r\n\r\n`), 'too_large'],
    [
      'another protocol',
      respondWith('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'reset',
    ],
  ];
  for (const [name, respond, error] of FAILURES) {
    test(`the client reports ${name} as ${error}`, async () => {
      assert.equal((await postTo(respond)).error, error);
    });
  }

  test('the client reports a port on which nothing listens as refused', async () => {
    const receiver = await startReceiver(() => {});
    await receiver.close();
    assert.equal((await client.post(receiver.url)).error, 'refused');
  });

  test('the client reports a name that cannot be resolved, or has no address, as dns', async () => {
    const failure = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    for (const answer of [failure, []]) {
      const { resolve } = fakeResolver(answer);
      assert.equal((await clientWith({ resolve }).post('https://example.com/')).error, 'dns');
    }
  });

  test('the client aborts a request by its signal, and all of them when it closes', async () => {
    const receiver = await receive(() => {});
    const abort = new AbortController();
    const aborted = client.post(receiver.url, abort.signal);
    await until(() => receiver.requests.length === 1, 'the first request was received');
    abort.abort();
    assert.equal((await aborted).error, 'aborted');
    assert.equal((await client.post(receiver.url, abort.signal)).error, 'aborted');
    const closed = clientWith();
    const pending = closed.post(receiver.url);
    await until(() => receiver.requests.length === 2, 'the second request was received');
    await closed.close();
    assert.equal((await pending).error, 'aborted');
  });

  test('the client verifies certificates, also if the environment says otherwise', async () => {
    const receiver = await receive(NO_CONTENT, true);
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      assert.equal((await clientWith().post(receiver.url)).error, 'tls');
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    const trusting = clientWith({ ca: SELF_SIGNED.cert });
    assert.equal((await trusting.post(receiver.url)).status, 204);
    // The certificate is that of localhost.
    assert.equal((await trusting.post(receiver.url.replace('localhost', '127.0.0.1'))).error, 'tls');
  });

  test('the client reports a server without TLS as tls', async () => {
    const { port, close } = await startReceiver(() => {}, { greeting: 'HTTP/1.1 400 Bad Request\r\n\r\n' });
    closing.push(close);
    assert.equal((await client.post(`https://127.0.0.1:${port}/`)).error, 'tls');
  });

  test('the client does not connect to an address that is not permitted, literal or resolved', async () => {
    const receiver = await receive(NO_CONTENT);
    const { resolve, names } = fakeResolver(['127.0.0.1']);
    const strict = clientWith({ policy: NOBODY, resolve });
    for (const host of ['127.0.0.1', 'example.com', '[::ffff:127.0.0.1]', '2130706433', '0177.1']) {
      for (const scheme of ['http', 'https']) {
        const result = await strict.post(`${scheme}://${host}:${receiver.port}/`);
        assert.equal(result.error, 'address_not_allowed', host);
      }
    }
    assert.deepEqual(names, ['example.com', 'example.com']);
    assert.equal(receiver.connections(), 0);
  });

  test('the client does not connect to a name with one address that is not permitted', async () => {
    const { resolve } = fakeResolver(['93.184.215.14', '10.0.0.1']);
    const result = await clientWith({ policy: NOBODY, resolve }).post('https://example.com/');
    assert.equal(result.error, 'address_not_allowed');
  });

  test('the client does not send http to a public address, also if some networks are allowed', async () => {
    const { resolve } = fakeResolver(['93.184.215.14']);
    assert.equal((await clientWith({ resolve }).post('http://example.com/')).error, 'address_not_allowed');
  });

  test('the client connects to the address that it has checked, and resolves a name once for a connection', async () => {
    const receiver = await receive(NO_CONTENT);
    const policy = createAddressPolicy(['127.0.0.1']);
    const { resolve, names } = fakeResolver(['127.0.0.1'], ['127.0.0.2']);
    const rebound = clientWith({ policy, resolve });
    const url = `http://rebinding.example:${receiver.port}/`;
    assert.equal((await rebound.post(url)).status, 204);
    assert.equal(receiver.requests[0]!.headers.host, `rebinding.example:${receiver.port}`);
    assert.equal(names.length, 1);
    // Another connection: the second answer is checked like the first.
    const again = clientWith({ policy, resolve });
    assert.equal((await again.post(url)).error, 'address_not_allowed');
    assert.equal(names.length, 2);
    assert.equal(receiver.connections(), 1);
  });

  test('the client ignores proxies of the environment', async () => {
    const [receiver, proxy] = [await receive(NO_CONTENT), await receive(NO_CONTENT)];
    const names = ['http_proxy', 'HTTP_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url;
    try {
      assert.equal((await clientWith().post(receiver.url)).status, 204);
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
    assert.deepEqual([receiver.requests.length, proxy.connections()], [1, 0]);
  });
});

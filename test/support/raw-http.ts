/** HTTP as bytes on a socket, for requests that fetch cannot send and responses as they are on the wire. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly reason: string;
  /** As sent, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly headers: Headers;
  readonly text: string;
}

export interface RawOptions {
  /** Whether the request is a HEAD: its response has a Content-Length and no body (RFC 9112 section 6.3). */
  readonly head?: boolean;
}

/**
 * Sends the bytes over one connection and returns all responses in order once the server has closed it. The last
 * request needs `Connection: close`, unless the server closes by itself.
 */
export async function sendRaw(
  url: string,
  bytes: string | Uint8Array,
  options: RawOptions = {},
): Promise<RawResponse[]> {
  return parseResponses(await exchange(url, bytes), options);
}

/** Like `sendRaw`, for exactly one response. */
export async function sendRawOnce(
  url: string,
  bytes: string | Uint8Array,
  options: RawOptions = {},
): Promise<RawResponse> {
  const responses = await sendRaw(url, bytes, options);
  assert.equal(responses.length, 1, JSON.stringify(responses));
  return responses[0]!;
}

/** Returns the bytes of a request with Host and `Connection: close`. `fields` are written unchanged. */
export function rawRequest(
  method: string,
  path: string,
  fields: readonly string[] = [],
  body: string | Uint8Array = '',
): Buffer {
  const length = Buffer.byteLength(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...fields,
    ...(length === 0 ? [] : [`Content-Length: ${length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

const TIMEOUT_MS = 20_000;

function exchange(url: string, bytes: string | Uint8Array): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error('The server neither responds nor closes the connection')),
    );
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    // A server that rejects a request before its end may reset the connection after the response.
    socket.on('error', (error) => (received.length > 0 ? resolve(Buffer.concat(received)) : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(received)));
  });
}

/** Parses all bytes of a connection. Reads bodies by Content-Length, which this service always sends. */
export function parseResponses(bytes: Buffer, options: RawOptions = {}): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at);
    assert.notEqual(end, -1, `incomplete head of a response: ${bytes.subarray(at).toString('latin1')}`);
    const head = parseHead(bytes.subarray(at, end).toString('latin1'));
    assert.equal(head.headers.get('transfer-encoding'), null, 'the response has a Content-Length');
    const length = options.head ? 0 : Number(head.headers.get('content-length') ?? 0);
    const body = bytes.subarray(end + 4, end + 4 + length);
    assert.equal(body.length, length, 'the body is as long as Content-Length');
    responses.push({ ...head, text: body.toString('utf8') });
    at = end + 4 + length;
  }
  return responses;
}

function parseHead(head: string): Omit<RawResponse, 'text'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const [, status, reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine) ?? assert.fail(statusLine);
  const fields = lines.map((line): [string, string] => {
    const [, name, value] = /^([^:\s]+): ?(.*)$/.exec(line) ?? assert.fail(line);
    return [name!, value!];
  });
  return { status: Number(status), reason, fields, headers: new Headers(fields) };
}

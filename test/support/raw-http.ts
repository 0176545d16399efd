/** HTTP as bytes on a socket: for requests that fetch cannot send, and for answers as they are on the wire. */
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
  /** The request is a HEAD: its answer announces a length and has no body (RFC 9112 section 6.3). */
  readonly head?: boolean;
}

/**
 * Sends the bytes over one connection and gives every answer, in order, once the server has closed it.
 * The last request has to say `Connection: close`, unless the server closes by itself.
 */
export async function sendRaw(
  address: string,
  bytes: string | Uint8Array,
  options: RawOptions = {},
): Promise<RawResponse[]> {
  return parseResponses(await exchange(address, bytes), options);
}

/** As `sendRaw`, for a request that has exactly one answer. */
export async function sendRawOnce(
  address: string,
  bytes: string | Uint8Array,
  options: RawOptions = {},
): Promise<RawResponse> {
  const answers = await sendRaw(address, bytes, options);
  assert.equal(answers.length, 1, `one answer, not ${JSON.stringify(answers)}`);
  return answers[0]!;
}

/** A request with a Host field that closes its connection; `fields` are written as given. */
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

const PATIENCE_MS = 20_000;

function exchange(address: string, bytes: string | Uint8Array): Promise<Buffer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('The server neither answers nor closes')));
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    // A server that refuses what is still being sent may reset the connection after its answer.
    socket.on('error', (error) => (received.length > 0 ? resolve(Buffer.concat(received)) : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(received)));
  });
}

/** Takes all bytes of a connection. Reads bodies by Content-Length, as this service sends them. */
export function parseResponses(bytes: Buffer, options: RawOptions = {}): RawResponse[] {
  const answers: RawResponse[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at);
    assert.notEqual(end, -1, `the head of an answer ends: ${bytes.subarray(at).toString('latin1')}`);
    const head = parseHead(bytes.subarray(at, end).toString('latin1'));
    assert.equal(head.headers.get('transfer-encoding'), null, 'the answer announces its length');
    const length = options.head ? 0 : Number(head.headers.get('content-length') ?? 0);
    const body = bytes.subarray(end + 4, end + 4 + length);
    assert.equal(body.length, length, 'the body has the announced length');
    answers.push({ ...head, text: body.toString('utf8') });
    at = end + 4 + length;
  }
  return answers;
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

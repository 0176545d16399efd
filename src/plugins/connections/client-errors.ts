/** Responds to bytes that Node's parser rejects before there is a request to route. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { discardInput, type LingerTimes, STATUS_CODES } from '../../lib/node-http.ts';
import { Problem, type ProblemCode } from '../../problems/problem.ts';
import type { Headers } from '../default-headers.ts';
import { problemResponse } from '../problems/problem-response.ts';
import type { Connections } from './connections.ts';

type ClientErrorHandler = (error: Error & { code?: string }, socket: Socket) => void;

/**
 * Creates the handler of parser errors and timeouts. Complete requests before the invalid bytes are responded to first.
 */
export function createClientErrorHandler(connections: Connections, headers: Headers): ClientErrorHandler {
  const failed = new WeakSet<Socket>();
  const settle = (code: ProblemCode, socket: Socket): void => {
    const connection = connections.get(socket);
    const current = connection?.responses.values().next().value;
    const isOwed = current?.req.complete || current?.writableEnded;
    if (isOwed) current.once('close', () => settle(code, socket));
    else if (current ? !current.headersSent : connection?.newestRequest?.complete !== false)
      sendRawProblem(socket, new Problem(code), headers);
    else closeLingering(socket);
  };
  return (error, socket) => {
    // Every further byte of this connection fails again.
    if (failed.has(socket)) return;
    failed.add(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    else settle(problemCode(error.code), socket);
  };
}

function problemCode(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'malformed_request';
}

/** Writes an error response that belongs to no request, and closes the connection. */
function sendRawProblem(socket: Socket, problem: Problem, defaults: Headers): void {
  // Unless a response that closes the connection has been sent already.
  if (socket.writable) {
    const requestId = randomUUID();
    const context = { accept: undefined, requestId, publicUrl: '' };
    const { status, headers, body } = problemResponse(problem, context);
    const fields: Headers = {
      ...defaults,
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      date: new Date().toUTCString(),
      'x-request-id': requestId,
      connection: 'close',
    };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
  closeLingering(socket);
}

const lingering = new WeakSet<Socket>();

/** Sends the written data, and discards input until the client closes its side, too, or the time is over. */
export function closeLingering(socket: Socket, times?: LingerTimes): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  socket.once(
    'close',
    discardInput(socket, () => socket.destroy(), times),
  );
  socket.end();
}

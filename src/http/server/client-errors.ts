/** What Node's parser refuses before there is a request: answered like any other refusal. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../../problems.ts';
import { answerUnderWay, requestRead } from '../connection.ts';
import {
  type DefaultHeaderOptions,
  defaultHeaders,
  headerLines,
  LINGER_TIMEOUT_MS,
} from '../response/default-headers.ts';
import { problemResponse } from '../response/problem-response.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

export type AnswerClientError = (error: Error & { code?: string }, socket: Socket) => void;

/**
 * Gives the listener for `clientError`. A request that came whole before the bytes that cannot be read gets its
 * answer first; one that has been answered before it came whole gets no second one.
 */
export function createClientErrorAnswer(options: DefaultHeaderOptions): AnswerClientError {
  const standing = defaultHeaders(options);
  const failed = new WeakSet<Socket>();
  const settle = (code: ProblemCode, socket: Socket): void => {
    const current = answerUnderWay(socket);
    const isOwed = current?.req.complete || current?.writableEnded;
    if (isOwed) current.once('close', () => settle(code, socket));
    else if (current || !isAnswered(socket)) reject(socket, code, standing);
    else socket.destroySoon();
  };
  return (error, socket) => {
    // Whatever else comes on this connection fails again, and has been told of.
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

/** Where no answer is under way: whether the request that is still coming in has had its own. */
function isAnswered(socket: Socket): boolean {
  return requestRead(socket)?.complete === false;
}

function reject(socket: Socket, code: ProblemCode, standing: Readonly<Record<string, string>>): void {
  // An answer that closes the connection was the last.
  if (!socket.writable) {
    socket.destroySoon();
    return;
  }
  const requestId = randomUUID();
  const context = { accept: undefined, requestId, publicUrl: '' };
  const { status, headers, body = '' } = problemResponse(new Problem(code), context);
  const head = headerLines({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    ...standing,
    'x-request-id': requestId,
    connection: 'close',
  });
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${head}\r\n${body}`);
  // A client that neither reads nor goes would keep it for ever. Not the socket's own timeout, which every byte
  // that still comes would begin anew.
  const timer = setTimeout(() => socket.destroy(), LINGER_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** What Node's parser refuses before there is a request: answered like any other refusal. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../problems.ts';
import { headerLines, standingHeaders } from './api-response.ts';
import { problemResponse } from './problem-response.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function problemCode(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'malformed_request';
}

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = new Problem(problemCode(error.code));
  const requestId = randomUUID();
  const { status, body } = problemResponse(problem, { accept: undefined, requestId, publicUrl: '' });
  const payload = JSON.stringify(body);
  const head = headerLines({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(payload)),
    ...standingHeaders({ tls: false, cors: false }),
    'x-request-id': requestId,
    connection: 'close',
  });
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${head}\r\n${payload}`);
}

/** What Node's parser refuses before there is a request: answered like any other refusal. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '../problems.ts';
import { standingHeaders } from './api-response.ts';
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
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(payload)}`,
    ...standingHeaders({ tls: false, cors: false }).map(([, name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${payload}`);
}

/** Requests that Node announces by events of their own. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '../../problems/problem.ts';
import type { Headers } from '../default-headers.ts';
import { sendRawProblem } from './client-errors.ts';

/** Forwards requests with Expect to the routes and rejects CONNECT, for which Node would send no response. */
export function handleServerEvents(
  server: Server,
  headers: Headers,
  awaitingContinue: WeakSet<ServerResponse>,
): void {
  const process = (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response);
  // 100 Continue is sent later, by the hooks, when it is known that the body will be read.
  server.on('checkContinue', (request, response) => {
    awaitingContinue.add(response);
    process(request, response);
  });
  // Other expectations need not be met (RFC 9110 section 10.1.1).
  server.on('checkExpectation', process);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const problem = new Problem('method_not_allowed', {
      headers: { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' },
    });
    // Node leaves the connection to the listener: without a listener a reset by the client would end the process.
    socket.on('error', () => {});
    sendRawProblem(socket as Socket, problem, headers);
  });
}

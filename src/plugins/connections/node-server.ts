/** Node's HTTP server under Fastify: limits of size and time, and the connections. */
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, METHODS } from '../../lib/node-http.ts';
import { Problem } from '../../problems/problem.ts';
import type { Headers } from '../default-headers.ts';
import { parserProblem } from './client-errors.ts';
import type { Connection, Connections } from './connections.ts';

/** Milliseconds. */
export interface Timeouts {
  readonly headers: number;
  readonly request: number;
  readonly check: number;
  /** How long a client may neither send nor read. Node notices those that stop reading up to twice as late. */
  readonly stalled: number;
}

export const TIMEOUTS: Timeouts = { headers: 15_000, request: 30_000, check: 2_000, stalled: 15_000 };
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;

export interface ServerFactoryOptions {
  readonly connections: Connections;
  readonly headers: Headers;
  readonly timeouts?: Timeouts;
}

/** Returns Fastify's `serverFactory`. */
export function serverFactory({ connections, headers, timeouts = TIMEOUTS }: ServerFactoryOptions) {
  return (handler: RequestListener): Server => {
    const server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: timeouts.headers,
        requestTimeout: timeouts.request,
        connectionsCheckingInterval: timeouts.check,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        // Requests without a body get no stream, which saves a tenth of their cost.
        optimizeEmptyRequests: true,
        // Checked by request-head.ts, whose error response has a body.
        requireHostHeader: false,
        // A field that must be single is no longer valid when it is repeated, and is rejected for that.
        joinDuplicateHeaders: true,
      },
      connections.listener(httpOnly(handler, connections, headers)),
    );
    closeStalledClients(server, connections, timeouts.stalled);
    connections.track(server);
    return server;
  };
}

const HTTP_METHODS: ReadonlySet<string | undefined> = new Set(METHODS);

/** Rejects methods of RTSP, which Node accepts and no router knows, as malformed requests. */
function httpOnly(handler: RequestListener, connections: Connections, headers: Headers): RequestListener {
  return (request, response) => {
    if (HTTP_METHODS.has(request.method)) {
      handler(request, response);
      return;
    }
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.isEnding = true;
    const problem = new Problem('malformed_request', { closesConnection: true });
    const { status, fields, body } = parserProblem(problem, headers);
    response.writeHead(status, fields).end(body);
  };
}

/** Sets for how long, in milliseconds, the clients of a server that does not listen yet may stall. */
function closeStalledClients(server: Server, connections: Connections, milliseconds: number): void {
  // Node itself closes idle connections only if this event has no listener.
  server.setTimeout(milliseconds, (socket: Socket) => {
    const connection = connections.get(socket);
    if (
      connection !== undefined &&
      (isSendingFirstHead(connection, socket) || !isWaitingForClient(connection))
    ) {
      // Otherwise the event would not come again before bytes have moved.
      socket.setTimeout(milliseconds);
    } else {
      socket.destroy();
    }
  });
}

/** Node responds with 408 when the time for the head has passed. */
function isSendingFirstHead({ newestRequest }: Connection, socket: Socket): boolean {
  return newestRequest === undefined && socket.bytesRead > 0;
}

/** Whether the client has to go on: send a request or the rest of one, or read what was written of its response. */
function isWaitingForClient({ pending: [response] }: Connection): boolean {
  if (response === undefined || response.writableLength > 0) return true;
  const { req: request } = response;
  // A body is read after the hooks have accepted its request. Until then a client may wait for 100 Continue.
  const isReadingBody = request.readableFlowing !== null;
  return !request.complete && isReadingBody;
}

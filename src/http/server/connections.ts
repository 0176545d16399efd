/**
 * What the server knows about each open connection: the requests that still wait for their response. Pipelined
 * requests are processed one after the other, so that a client which does not read costs one response, and slow
 * clients are closed.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** Responses that are not sent completely, in the order of their requests. */
  readonly pending: ServerResponse[];
  /** Starts of the pipelined requests that wait for the responses before theirs. */
  readonly queue: (() => void)[];
  /** The request that was received last, complete or not. */
  newestRequest: IncomingMessage | undefined;
  /** The connection closes after a response that is being sent: later requests are not processed (RFC 9112 section 9.6). */
  isEnding: boolean;
}

export interface Connections {
  /** Undefined once the connection is closed. */
  get(socket: Socket): Connection | undefined;
  readonly sockets: Iterable<Socket>;
  /**
   * Calls `start` when the responses before this request are sent: at once, unless the client pipelines. Closes the
   * connection when too many requests of all clients wait.
   */
  inTurn(request: IncomingMessage, start: (connection: Connection | undefined) => void): void;
}

/** Of all connections together, about 5 KB each. A client that does not pipeline has none. */
const MAX_QUEUED_REQUESTS = 5_000;

/** Tracks the connections of a server that does not listen yet. */
export function trackConnections(server: Server, maxQueued = MAX_QUEUED_REQUESTS): Connections {
  const connections = new Map<Socket, Connection>();
  let queued = 0;
  server.on('connection', (socket: Socket) => {
    const connection: Connection = { pending: [], queue: [], newestRequest: undefined, isEnding: false };
    connections.set(socket, connection);
    socket.once('close', () => {
      queued -= connection.queue.length;
      connections.delete(socket);
    });
  });
  // First, so that a request is known here before it is processed.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.newestRequest = request;
    connection.pending.push(response);
    response.once('close', () => {
      // Responses are sent in the order of their requests (RFC 9112 section 9.3.2).
      connection.pending.shift();
      connection.queue.shift()?.();
    });
  });
  return {
    get: (socket) => connections.get(socket),
    get sockets() {
      return connections.keys();
    },
    inTurn(request, start) {
      const connection = connections.get(request.socket);
      if (connection === undefined || connection.pending.length <= 1) {
        start(connection);
      } else if (queued >= maxQueued) {
        request.socket.destroy();
      } else {
        queued++;
        connection.queue.push(() => {
          queued--;
          start(connection);
        });
      }
    },
  };
}

/**
 * What the server knows about each open connection: the requests that still wait for their response. Slow clients,
 * pipelined requests and parser errors are handled by it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** Responses that are not sent completely, in the order of their requests. */
  readonly pending: ServerResponse[];
  /** The request that was received last, complete or not. */
  newestRequest: IncomingMessage | undefined;
  /** The connection closes after a response that is being sent: later requests are not processed (RFC 9112 section 9.6). */
  isEnding: boolean;
}

export interface Connections {
  /** Undefined once the connection is closed. */
  get(socket: Socket): Connection | undefined;
  readonly sockets: Iterable<Socket>;
}

/** Tracks the connections of a server that does not listen yet. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { pending: [], newestRequest: undefined, isEnding: false });
    socket.once('close', () => connections.delete(socket));
  });
  // First, so that a request is known here before it is processed.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.newestRequest = request;
    connection.pending.push(response);
    // Responses are sent in the order of their requests (RFC 9112 section 9.3.2).
    response.once('close', () => connection.pending.shift());
  });
  return {
    get: (socket) => connections.get(socket),
    get sockets() {
      return connections.keys();
    },
  };
}

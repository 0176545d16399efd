/**
 * Rejects other protocols than HTTP with the response to malformed requests. Node's parser accepts the methods of RTSP,
 * which no router knows, and `GET / RTSP/1.0`, which it does not distinguish from HTTP/1.0.
 */
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { METHODS } from '../../lib/node-http.ts';
import { Problem } from '../../problems/problem.ts';
import type { Headers } from '../default-headers/default-headers.ts';
import { parserProblem, sendRawProblem } from './client-errors.ts';
import type { Connections } from './connections.ts';

const HTTP_METHODS: ReadonlySet<string | undefined> = new Set(METHODS);
/** A request line of RTSP, or of ICE, whose only method SOURCE is one of HTTP, too. */
const OTHER_PROTOCOL = /^\s*\S+ \S+ (?:RTSP|ICE)\//;

/** Maximum number of bytes of a request line that are inspected. */
const MAX_LINE_LENGTH = 1_024;

export interface HttpOnlyOptions {
  readonly handler: RequestListener;
  readonly connections: Connections;
  /** The default headers of every response. */
  readonly headers: Headers;
}

/** Returns a listener that passes requests with methods of HTTP on. */
export function httpOnly({ handler, connections, headers }: HttpOnlyOptions): RequestListener {
  return (request, response) => {
    if (HTTP_METHODS.has(request.method)) {
      handler(request, response);
      return;
    }
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.isEnding = true;
    const { status, fields, body } = parserProblem(malformed(), headers);
    response.writeHead(status, fields).end(body);
  };
}

/**
 * Lets Node accept a connection when its first bytes are not those of another protocol. Later bytes are not inspected,
 * because that would cost a tenth of each request.
 */
export function inspectConnections(server: Server, headers: Headers): void {
  const accept = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const close = () => socket.destroy();
    socket.setTimeout(server.timeout, close).once('error', close).once('end', close);
    socket.once('data', (bytes: Buffer) => {
      socket.removeListener('timeout', close).removeListener('end', close);
      if (OTHER_PROTOCOL.test(bytes.toString('latin1', 0, MAX_LINE_LENGTH))) {
        sendRawProblem(socket, malformed(), headers);
        return;
      }
      // Puts the bytes back for the parser.
      socket.removeListener('error', close).pause();
      socket.unshift(bytes);
      for (const listener of accept) listener.call(server, socket);
      socket.resume();
    });
  });
}

function malformed(): Problem {
  return new Problem('malformed_request', { closesConnection: true });
}

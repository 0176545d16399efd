/** A server for outgoing requests, which a test lets respond in any way, also in ways that are not HTTP. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface ReceivedRequest {
  /** `POST /path HTTP/1.1`. */
  readonly start: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:port` or `https://localhost:port`. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The number of connections that were opened. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Writes to the socket once a request was received completely. */
export type Respond = (socket: Socket, request: ReceivedRequest) => void;

/** Returns a function that sends these bytes, and ends the connection unless `end` is false. */
export function respondWith(text: string, { end = true } = {}): Respond {
  return (socket) => (end ? socket.end(text) : socket.write(text));
}

export interface ReceiverOptions {
  /** Sent at the beginning of each connection. */
  readonly greeting?: string;
  /** Key and certificate in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Starts a receiver. The caller closes it. */
export async function startReceiver(respond: Respond, options: ReceiverOptions = {}): Promise<Receiver> {
  const { tls, greeting } = options;
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    if (greeting !== undefined) socket.write(greeting);
    readRequests(socket, (request) => {
      requests.push(request);
      respond(socket, request);
    });
  };
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    requests,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function readRequests(socket: Socket, onRequest: (request: ReceivedRequest) => void): void {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('utf8');
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const [start = '', ...lines] = received.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.replace(/^[^:]*: */, '')]),
    );
    const body = received.slice(end + 4);
    if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return;
    received = '';
    onRequest({ start, headers, body });
  });
}

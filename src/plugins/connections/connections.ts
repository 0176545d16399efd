/** State of each open connection. Pipelined requests are processed one after the other. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
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

export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #maxQueued: number;
  #queued = 0;

  /** `maxQueued`: pipelined requests of all connections together that may wait, some 20 KB each. */
  constructor(maxQueued = 1_000) {
    this.#maxQueued = maxQueued;
  }

  get(socket: Socket): Connection | undefined {
    return this.#connections.get(socket);
  }

  get sockets(): Iterable<Socket> {
    return this.#connections.keys();
  }

  track(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const connection: Connection = { pending: [], queue: [], newestRequest: undefined, isEnding: false };
      this.#connections.set(socket, connection);
      socket.once('close', () => {
        this.#queued -= connection.queue.splice(0).length;
        this.#connections.delete(socket);
      });
    });
  }

  /**
   * Returns the listener that calls `process` when the responses before the request are sent, and closes
   * connections that queue too many.
   */
  listener(process: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const connection = this.#connections.get(socket);
      if (connection === undefined || socket.destroyed) return;
      connection.newestRequest = request;
      connection.pending.push(response);
      response.once('close', () => this.#next(connection));
      const start = () => {
        if (!connection.isEnding && !socket.destroyed) process(request, response);
      };
      if (connection.pending.length === 1) start();
      else if (this.#queued >= this.#maxQueued) socket.destroy();
      else this.#enqueue(connection, start);
    };
  }

  #enqueue({ queue }: Connection, start: () => void): void {
    this.#queued++;
    queue.push(start);
  }

  /** Responses are sent in the order of their requests (RFC 9112 section 9.3.2). */
  #next({ pending, queue }: Connection): void {
    pending.shift();
    const start = queue.shift();
    if (start === undefined) return;
    this.#queued--;
    start();
  }
}

/** Requests in progress on each open connection, and graceful shutdown. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endConnection } from '../../lib/node-http.ts';

export interface Connection {
  /** Responses that are not sent completely, in the order of their requests. */
  readonly responses: Set<ServerResponse>;
  /** The request that was received last, complete or not. */
  newestRequest: IncomingMessage | undefined;
}

/** Deadlines of a drain, in milliseconds from its start. `head`: for the rest of the headers of a request. */
export const DRAIN_TIMES = { head: 1_000, body: 5_000, deadline: 30_000 };
export type DrainTimes = typeof DRAIN_TIMES;

export class Connections {
  readonly #open = new Map<Socket, Connection>();

  get(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  track(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, { responses: new Set(), newestRequest: undefined });
      socket.once('close', () => this.#open.delete(socket));
    });
    server.prependListener('request', (request, response) => {
      const connection = this.#open.get(request.socket);
      if (connection === undefined) return;
      connection.newestRequest = request;
      connection.responses.add(response);
      response.once('close', () => connection.responses.delete(response));
    });
  }

  /**
   * Calls `close`, which stops accepting connections and resolves when none is left, and cuts off slow clients. Resolves
   * to true if every complete request got its response.
   */
  async drain(close: () => Promise<unknown>, times: DrainTimes = DRAIN_TIMES): Promise<boolean> {
    let isComplete = true;
    this.#endAfterResponses();
    const closed = close();
    const timers = [
      setTimeout(() => this.#cut(({ responses }) => responses.size === 0), times.head),
      setTimeout(
        () => this.#cut(({ responses }) => ![...responses].some(({ req }) => req.complete)),
        times.body,
      ),
      setTimeout(() => {
        isComplete = false;
        this.#cut(() => true);
      }, times.deadline),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
    return isComplete;
  }

  #cut(isLate: (connection: Connection) => boolean): void {
    for (const [socket, connection] of this.#open) if (isLate(connection)) socket.destroy();
  }

  /** Ends connections after their responses in progress (RFC 9112 section 9.6). */
  #endAfterResponses(): void {
    for (const [socket, { responses }] of this.#open) {
      const last = [...responses].at(-1);
      if (last === undefined) continue;
      endConnection(socket);
      if (last.headersSent) last.once('close', () => socket.destroySoon());
      else last.setHeader('connection', 'close');
    }
  }
}

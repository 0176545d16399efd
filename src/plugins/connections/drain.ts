/** Graceful shutdown: complete requests get their responses, and slow clients are cut off. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** Deadlines of a drain, in milliseconds from its start. `head`: for the rest of the headers of a request. */
export const DRAIN_TIMES = { head: 1_000, body: 5_000, deadline: 30_000 };
export type DrainTimes = typeof DRAIN_TIMES;

/** Calls `close`, and cuts off slow clients. Resolves to true if every complete request got its response. */
export async function drain({
  server,
  connections,
  close,
  times = DRAIN_TIMES,
}: {
  readonly server: Server;
  readonly connections: Connections;
  /** Stops accepting connections and resolves when none is left. */
  readonly close: () => Promise<unknown>;
  readonly times?: DrainTimes;
}): Promise<boolean> {
  let isComplete = true;
  const cut = (isLate: (socket: Socket) => boolean) => {
    for (const socket of connections.sockets) if (isLate(socket)) socket.destroy();
  };
  endAfterResponses(connections);
  const closed = close();
  const current = (socket: Socket) => connections.get(socket)?.pending[0];
  const timers = [
    setTimeout(() => cut((socket) => current(socket) === undefined), times.head),
    setTimeout(() => cut((socket) => current(socket)?.req.complete !== true), times.body),
    setTimeout(() => {
      isComplete = false;
      server.closeAllConnections();
    }, times.deadline),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
  return isComplete;
}

/** Ends connections after their response in progress (RFC 9112 section 9.6). Pipelined ones end it themselves. */
function endAfterResponses(connections: Connections): void {
  for (const socket of connections.sockets) {
    const connection = connections.get(socket);
    const [response, ...others] = connection?.pending ?? [];
    if (connection === undefined || response === undefined || others.length > 0) continue;
    connection.isEnding = true;
    if (response.headersSent) response.once('close', () => socket.destroySoon());
    else response.setHeader('connection', 'close');
  }
}

/**
 * The end of the server: requests that are whole get their answers. Node looks after slow clients only until
 * `server.close`, and then waits for each of them for ever: from there on it is done here.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnderWay } from '../connection.ts';

/** How long a drain waits, in milliseconds from its start. */
export interface DrainTimes {
  /** For the rest of a request's head. */
  readonly head: number;
  /** For the rest of its body. */
  readonly body: number;
  /** For everything. */
  readonly deadline: number;
}

export const DRAIN_TIMES: DrainTimes = { head: 1_000, body: 5_000, deadline: 30_000 };

/** Resolves when no connection is left: to true when every request that came in whole got its answer. */
export type Drain = () => Promise<boolean>;

/** Give it a server before it listens. */
export function createDrain(server: Server, times: DrainTimes = DRAIN_TIMES): Drain {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const cut = (isLate: (socket: Socket) => boolean) => {
    for (const socket of sockets) if (isLate(socket)) socket.destroy();
  };
  return async () => {
    let isComplete = true;
    const closed = new Promise((resolve) => server.close(resolve));
    const timers = [
      setTimeout(() => cut((socket) => answerUnderWay(socket) === null), times.head),
      setTimeout(() => cut((socket) => answerUnderWay(socket)?.req.complete !== true), times.body),
      setTimeout(() => {
        isComplete = false;
        server.closeAllConnections();
      }, times.deadline),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
    return isComplete;
  };
}

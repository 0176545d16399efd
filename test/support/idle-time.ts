/** The time of a server's connections on which nothing moves, without dependence on how fast the machine is. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Removes the limit of time for the first byte of each client, so that a short idle time cannot end before it. */
export function waitForFirstBytes(server: Server): void {
  server.on('connection', (socket: Socket) => socket.setTimeout(0));
}

/** Resolves when the idle time of a connection has passed so many times. Rejects when the connection is closed. */
export function idleTimes(socket: Socket, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let passed = 0;
    socket.on('timeout', () => {
      passed++;
      if (passed === count) resolve();
    });
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}

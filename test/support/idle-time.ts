/** The time of a server's connections on which nothing moves, without dependence on how fast the machine is. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Removes the limit of time until the first request of each client, so that a short idle time cannot end before it. */
export function waitForFirstRequests(server: Server): void {
  server.on('connection', (socket: Socket) => socket.setTimeout(0));
  const limit = ({ socket }: { readonly socket: Socket }) => socket.setTimeout(server.timeout);
  server.prependListener('request', limit).prependListener('checkContinue', limit);
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

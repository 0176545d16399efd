/** Lingering close of connections (RFC 9112 section 9.6) that have no request to respond to. */
import type { Socket } from 'node:net';
import { discardInput, type LingerTimes } from '../../lib/discard-input.ts';

const lingering = new WeakSet<Socket>();

/**
 * Sends the written data and the end of the stream, and discards input until the client closes its side, too.
 * Then the connection is closed, or else at the end of the time.
 */
export function closeLingering(socket: Socket, times?: LingerTimes): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  socket.once(
    'close',
    discardInput(socket, () => socket.destroy(), times),
  );
  socket.end();
}

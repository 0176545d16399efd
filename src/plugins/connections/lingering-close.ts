/**
 * Lingering close of connections (RFC 9112 section 9.6). A connection that is closed while bytes of the client are
 * unread, or still arrive, is reset, and a client whose sending fails may never read the response.
 */
import type { Socket } from 'node:net';

/** Milliseconds. */
export interface LingerTimes {
  /** How long a client may go on sending, or keep its side of the connection open. */
  readonly deadline: number;
  /** How long it may send nothing. */
  readonly idle: number;
}

export const LINGER_TIMES: LingerTimes = { deadline: 5_000, idle: 1_000 };

const lingering = new WeakSet<Socket>();

/**
 * Sends what is written and the end of the stream, and discards what the client sends until it closes its side, too.
 * Then the connection is closed, or else at the end of the time.
 */
export function closeLingering(socket: Socket, { deadline, idle }: LingerTimes = LINGER_TIMES): void {
  if (lingering.has(socket) || socket.destroyed) return;
  lingering.add(socket);
  const destroy = () => socket.destroy();
  // Not the socket's own timeout, which would allow bytes to arrive one by one without end.
  const atDeadline = setTimeout(destroy, deadline);
  const whenIdle = setTimeout(destroy, idle);
  socket.on('data', () => whenIdle.refresh());
  socket.once('close', () => {
    clearTimeout(atDeadline);
    clearTimeout(whenIdle);
  });
  socket.end();
  socket.resume();
}

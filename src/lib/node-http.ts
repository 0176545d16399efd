/** Ends of connections, and values of node:http. */
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

/** An import statement would load a WebSocket client, too: 45 ms of each start. */
export const { STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof import('node:http');

const ending = new WeakSet<Socket>();

/** Lets the service process no further requests of a connection that closes (RFC 9112 section 9.6). */
export function endConnection(socket: Socket): void {
  ending.add(socket);
}

export const isEnding = (socket: Socket): boolean => ending.has(socket);

/** Milliseconds for which a client may go on sending, or keep its side of the connection open; `idle`: silently. */
const LINGER_TIMES = { deadline: 5_000, idle: 1_000 };

export type LingerTimes = typeof LINGER_TIMES;

/**
 * Discards what a client still sends (RFC 9112 section 9.6): otherwise it could be reset before it reads the response.
 * Calls `onTimeout` at the end of the time. Returns the function that stops waiting.
 */
export function discardInput(
  source: Readable,
  onTimeout: () => void,
  { deadline, idle }: LingerTimes = LINGER_TIMES,
): () => void {
  // Not the socket's own timeout, which would allow bytes to arrive one by one without end.
  const atDeadline = setTimeout(onTimeout, deadline);
  const whenIdle = setTimeout(onTimeout, idle);
  source.on('data', () => whenIdle.refresh()).resume();
  return () => {
    clearTimeout(atDeadline);
    clearTimeout(whenIdle);
  };
}

/** Returns the body of a response that closes the connection: the bytes, and their end when the rest was discarded. */
export function sendBeforeRest(bytes: Buffer, request: IncomingMessage): Readable {
  const body = new Readable({ read() {} });
  body.push(bytes);
  const end = () => {
    stop();
    body.push(null);
  };
  const stop = discardInput(request, end);
  request.once('end', end).once('close', end);
  return body;
}

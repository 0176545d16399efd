/** Error responses to requests that are still being received. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { discardInput } from '../../lib/discard-input.ts';

/**
 * Returns the body of a response that closes the connection: the bytes at once, and their end when the rest of the
 * request has been discarded. Node closes the connection after that.
 */
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

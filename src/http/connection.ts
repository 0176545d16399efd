/** A connection of the server: what its requests have to know of each other, and what Node keeps with it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection extends Socket {
  /** The request that came last: others may still be waiting for their answers. */
  newestRequest?: IncomingMessage;
  /** An answer has closed it: what else comes in is not carried out (RFC 9112 section 9.6). */
  isEnding?: boolean;
  /** Node's own, as the next, and documented nowhere. */
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

/** There from the end of a request's head to the end of its answer; of several requests, that of the first. */
export function answerUnderWay({ _httpMessage }: Connection): ServerResponse | null {
  return _httpMessage ?? null;
}

/** The request that is being read, or was read last. */
export function requestRead({ parser }: Connection): IncomingMessage | null {
  return parser?.incoming ?? null;
}

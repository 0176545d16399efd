import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ApiResponse } from './response/default-headers.ts';
import type { Caller, Route } from './route.ts';

/** One request and its answer, with what has been found out on the way. */
export interface RequestContext {
  readonly request: IncomingMessage;
  readonly response: ApiResponse;
  readonly headers: IncomingHttpHeaders;
  /** In the answer's X-Request-Id and in the log. */
  readonly id: string;
  /** When it arrived, in milliseconds of the process. */
  readonly arrivedAt: number;
  /** The client's network address. */
  readonly address: string;
  /** Null where no route takes the request. */
  route: Route | null;
  caller: Caller;
}

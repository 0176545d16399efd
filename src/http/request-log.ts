/** One line per request. Values that could hold a secret (headers, query, body) are never part of it. */
import type { FastifyRequest } from 'fastify';
import { type Logger, symbols } from 'pino';
import { timestamp } from '../tools/clock.ts';
import type { ApiResponse } from './api-response.ts';

/** W3C Trace Context, version 00; anything else is ignored. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const INFO = 30;

/**
 * Written by hand into the logger's stream, because it is the only line that every request pays for: nothing
 * in it needs escaping (the id is checked, the route is our own template, never the address: ids of people
 * stay out of the log) or redaction.
 */
export function logRequest(logger: Logger, request: FastifyRequest, response: ApiResponse): void {
  if (!logger.isLevelEnabled('info')) return;
  const { caller, id, method } = request;
  const route = request.routeOptions.url;
  const milliseconds = Math.round((performance.now() - response.arrivedAt) * 100) / 100;
  const { traceparent } = request.headers;
  const trace = traceparent === undefined ? undefined : TRACEPARENT.exec(String(traceparent))?.[1];
  const optional =
    (caller.kind === 'user' ? `,"token_hash":"${caller.tokenHash.slice(0, 8)}"` : '') +
    (trace === undefined ? '' : `,"trace_id":"${trace}"`);
  const stream = (logger as unknown as { [symbols.streamSym]: { write(line: string): void } })[
    symbols.streamSym
  ];
  stream.write(
    `{"level":${INFO},"time":"${timestamp(Date.now())}","request_id":"${id}","method":"${method}",` +
      `"route":${route === undefined ? 'null' : `"${route}"`},"status":${response.statusCode},"ms":${milliseconds}${optional}}\n`,
  );
}

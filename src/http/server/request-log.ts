/** One line per request. Values that could hold a secret (headers, query, body) are never part of it. */
import { type Logger, symbols } from 'pino';
import { timestamp } from '../../lib/clock.ts';
import type { RequestContext } from '../exchange.ts';

/** W3C Trace Context, version 00; anything else is ignored. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const INFO = 30;

/** Writes the line of an exchange. */
export type LogRequest = (exchange: RequestContext, status: number) => void;

/**
 * Written by hand into the logger's stream, because it is the only line that every request pays for: nothing
 * in it needs escaping (the id is checked, the route is our own template, never the address: ids of people
 * stay out of the log) or redaction.
 */
export function createRequestLog(logger: Logger): LogRequest {
  if (!logger.isLevelEnabled('info')) return () => {};
  const { [symbols.streamSym]: stream } = logger as unknown as {
    [symbols.streamSym]: { write(line: string): void };
  };
  return (exchange, status) => stream.write(line(exchange, status));
}

function line({ caller, id, route, request, headers, arrivedAt }: RequestContext, status: number): string {
  const milliseconds = Math.round((performance.now() - arrivedAt) * 100) / 100;
  const { traceparent } = headers;
  const trace = traceparent === undefined ? undefined : TRACEPARENT.exec(String(traceparent))?.[1];
  const optional =
    (caller.kind === 'user' ? `,"token_hash":"${caller.tokenHash.slice(0, 8)}"` : '') +
    (trace === undefined ? '' : `,"trace_id":"${trace}"`);
  return (
    `{"level":${INFO},"time":"${timestamp(Date.now())}","request_id":"${id}","method":"${request.method}",` +
    `"route":${route === null ? 'null' : `"${route.path}"`},"status":${status},"ms":${milliseconds}${optional}}\n`
  );
}

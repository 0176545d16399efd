/** Logs one line per request. Values that could hold a secret (headers, query, body) are never part of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** W3C Trace Context, version 00; anything else is ignored. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Creates the function that logs a request whose response has been sent. */
export function createRequestLog(logger: Logger): LogRequest {
  // Nothing in the line needs redaction, which would cost more than all the rest of it.
  const lines = logger.child({}, { redact: [] });
  if (!lines.isLevelEnabled('info')) return () => {};
  return (request, reply) => {
    const { caller, headers, id, method, routeOptions } = request;
    lines.info({
      request_id: id,
      method,
      // The template of the path and not the path, which may hold ids of people.
      route: routeOptions.config.route?.path ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      token_hash: caller.kind === 'user' ? caller.tokenHash.slice(0, 8) : undefined,
      trace_id: headers.traceparent === undefined ? undefined : traceId(headers.traceparent),
    });
  };
}

function traceId(traceparent: string | string[]): string | undefined {
  return TRACEPARENT.exec(String(traceparent))?.[1];
}

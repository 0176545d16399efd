/** One line per request. Values that could hold a secret (headers, query, body) are never part of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** W3C Trace Context, version 00; anything else is ignored. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!logger.isLevelEnabled('info')) return;
  const { caller } = request;
  const traceparent = request.headers.traceparent;
  logger.info({
    request_id: request.id,
    method: request.method,
    // The template, not the address: ids of people stay out of the log, and lines of one route group.
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    ...(caller.kind === 'user' ? { token_hash: caller.tokenHash.slice(0, 8) } : {}),
    ...(typeof traceparent === 'string' ? { trace_id: TRACEPARENT.exec(traceparent)?.[1] } : {}),
  });
}

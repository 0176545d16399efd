/** Logs one line per request. Values that could hold a secret (headers, query, body) are never part of it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { timestamp } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** W3C Trace Context, version 00; anything else is ignored. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const INFO = 30;

export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Creates the function that logs a request whose response has been sent. The line is written by hand, in half the time
 * that pino needs: none of its values needs escaping or redaction, because the id is checked and the rest is ours.
 */
export function createRequestLog(logger: Pick<Log, 'isLevelEnabled' | 'writeLine'>): LogRequest {
  if (!logger.isLevelEnabled('info')) return () => {};
  return (request, reply) => logger.writeLine(requestLine(request, reply));
}

function requestLine(request: FastifyRequest, reply: FastifyReply): string {
  const { caller, headers, id, method, routeOptions } = request;
  // The template of the path and not the path, which may hold ids of people.
  const path = routeOptions.config.route?.path;
  const milliseconds = Math.round(reply.elapsedTime * 100) / 100;
  const tokenHash = caller.kind === 'user' ? `,"token_hash":"${caller.tokenHash.slice(0, 8)}"` : '';
  const trace = headers.traceparent === undefined ? undefined : traceId(headers.traceparent);
  return (
    `{"level":${INFO},"time":"${timestamp(Date.now())}","request_id":"${id}","method":"${method}",` +
    `"route":${path === undefined ? null : `"${path}"`},"status":${reply.statusCode},` +
    `"ms":${milliseconds}${tokenHash}${trace === undefined ? '' : `,"trace_id":"${trace}"`}}\n`
  );
}

function traceId(traceparent: string | string[]): string | undefined {
  return TRACEPARENT.exec(String(traceparent))?.[1];
}

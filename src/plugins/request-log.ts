/** Logs one line per request. Values that could hold a secret (headers, query, body) are never part of it. */
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import { toPathTemplate } from '../lib/routes/routes.ts';

/** W3C Trace Context, version 00; anything else is ignored. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was rejected where the status does not say it: a text of the service without values. */
    rejection: string | null;
  }
}

export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Creates the function that logs a request whose response has been sent, or cannot be sent any more. */
export function createRequestLog(log: Logger): LogRequest {
  // These members cannot hold a secret: looking for some would take 40 µs of each request.
  const logger = log.child({}, { redact: [] });
  return (request, reply) => {
    if (!logger.isLevelEnabled('info')) return;
    const { caller, headers, id, method, rejection, routeConfig } = request;
    const { traceparent } = headers;
    const traceId = traceparent === undefined ? undefined : TRACEPARENT.exec(String(traceparent))?.[1];
    logger.info({
      request_id: id,
      method,
      // The template of the path and not the path, which may hold ids of people.
      route: routeConfig?.url === undefined ? null : toPathTemplate(routeConfig.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      ...(rejection ? { reason: rejection } : {}),
      ...(caller.kind === 'user' ? { token_hash: caller.tokenHash.slice(0, 8) } : {}),
      ...(traceId === undefined ? {} : { trace_id: traceId }),
    });
  };
}

/** Logs each request. */
export const requestLog = fp<{ readonly log: LogRequest }>(async (app, { log }) => {
  app.decorateRequest<string | null, 'rejection'>('rejection', null);
  app.addHook('onResponse', (request, reply, done) => {
    done();
    log(request, reply);
  });
});

/** Logs failures that reach no error handler. The other lines of Fastify repeat the request log. */
export class FailureLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  /** A hook has failed after the response. */
  override requestCompleted(error: Error | null | undefined, request: FastifyRequest): void {
    if (error) logFailure(error, request, 'a request failed after its response');
  }

  /** A header of the response is invalid. */
  override writeHeadError(error: Error, request: FastifyRequest): void {
    logFailure(error, request, 'the head of a response failed');
  }

  /** The response does not match its schema. */
  override serializerError(error: Error, request: FastifyRequest, _reply: FastifyReply): void {
    logFailure(error, request, 'the serialisation of a response failed');
  }
}

function logFailure(err: Error, { id, log }: FastifyRequest, message: string): void {
  log.error({ request_id: id, err }, message);
}

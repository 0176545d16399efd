/** Error responses to requests whose path Fastify rejects before any hook. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { corsHeaders, isListedOrigin } from '../cors.ts';
import type { Headers } from '../default-headers.ts';
import type { ErrorHandler } from '../problems/error-response.ts';
import type { SetRequestContext } from '../request-context.ts';
import type { LogRequest } from '../request-log.ts';

/** Creates Fastify's `frameworkErrors`, which does the work of the hooks for such requests. */
export function createFrameworkErrorHandler({
  headers,
  setContext,
  log,
  handleError,
  corsOrigins,
}: {
  headers: Headers;
  setContext: SetRequestContext;
  log: LogRequest;
  handleError: ErrorHandler;
  corsOrigins: readonly string[];
}) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setContext(request, reply);
    reply.headers(headers);
    const { origin } = request.headers;
    if (isListedOrigin(corsOrigins, origin)) reply.headers(corsHeaders(origin));
    reply.raw.once('finish', () => log(request, reply));
    void handleError(error, request, reply);
  };
}

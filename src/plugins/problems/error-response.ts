/** Converts thrown errors to error responses. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import type { Caller } from '../../callers/callers.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { endConnection, sendBeforeRest } from '../../lib/node-http.ts';
import { PasswordsUnavailable } from '../../lib/passwords/passwords.ts';
import { Problem, type ProblemCode } from '../../problems/problem.ts';
import { prefersHtml, prefersProblemJson } from './negotiation.ts';
import { problemHeaders, serializeProblem } from './problem-response.ts';

export interface ErrorResponseOptions {
  readonly logger: Logger;
  readonly publicUrl: string;
  /** Renders errors for browsers, other than those of operations of the API; undefined: browsers get JSON, too. */
  readonly renderPage?: RenderProblem | undefined;
  /** Called with each request whose caller lacks a scope. */
  readonly onDenied?: ((denied: DeniedRequest) => void) | undefined;
  readonly onDisconnected: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** A request without the scopes that it needs. */
export interface DeniedRequest {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  readonly clientIp: string;
}

/** Renders an error response as a page; the headers of the problem are added to it. */
export type RenderProblem = (
  problem: Problem,
  request: FastifyRequest,
) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer }>;

export type ErrorHandler = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/**
 * Creates an error handler. With `render` it responds with pages, otherwise to browsers with those that are the same
 * everywhere, and to other clients with JSON.
 */
export function createErrorHandler(options: ErrorResponseOptions, render?: RenderProblem): ErrorHandler {
  return async (error, request, reply) => {
    const problem = toProblem(error);
    // Before anything asynchronous: further requests may be in the same packet.
    if (problem.options.closesConnection) endConnection(request.raw.socket);
    request.problemCode = problem.code;
    request.rejection ??= problem.options.reason ?? null;
    logProblem(options.logger, problem, request.id);
    const { denied } = problem.options;
    if (denied !== undefined)
      options.onDenied?.({
        scopes: denied.scopes,
        caller: denied.caller ?? request.caller,
        clientIp: request.clientIp,
      });
    const { headers, body } = await renderOrSerialize(problem, request, { ...options, ownRender: render });
    reply.code(problem.status).headers(headers);
    const isLast = closes(request, reply);
    if (isLast) endConnection(request.raw.socket);
    if (request.raw.socket.destroyed) options.onDisconnected(request, reply);
    // As bytes, because Fastify would add a charset to a text.
    const bytes = Buffer.from(body);
    if (!isLast || request.raw.complete) return reply.send(bytes);
    return reply.header('content-length', bytes.length).send(sendBeforeRest(bytes, request.raw));
  };
}

/** Logs failures of the service; at level debug also why a request of a client was rejected, where that is known. */
function logProblem(logger: Logger, { code, status, text, cause }: Problem, requestId: string): void {
  if (status < 500 && cause === undefined) return;
  const level = status === 500 ? 'error' : status > 500 ? 'warn' : 'debug';
  logger[level]({ request_id: requestId, code, err: cause }, text);
}

async function renderOrSerialize(
  problem: Problem,
  request: FastifyRequest,
  options: ErrorResponseOptions & { readonly ownRender: RenderProblem | undefined },
) {
  const { logger, publicUrl, renderPage, ownRender } = options;
  const { accept } = request.headers;
  const { schema } = request.routeOptions;
  const isOperation = request.url.startsWith('/api/') || (schema !== undefined && !schema.hide);
  const isBrowser = prefersHtml(accept) && !prefersProblemJson(accept);
  const isPage = isBrowser && (problem.code === 'not_found' || !isOperation);
  const render = ownRender ?? (isPage ? renderPage : undefined);
  if (render !== undefined) {
    try {
      const { headers, body } = await render(problem, request);
      return { headers: { ...problemHeaders(problem), ...headers }, body };
    } catch (error) {
      // The client still gets the status and the code.
      logger.error({ request_id: request.id, err: error }, 'the page of an error could not be rendered');
    }
  }
  return serializeProblem(problem, publicUrl, request);
}

function unavailable(cause: Error, retryAfterSeconds: number): Problem {
  return new Problem('service_unavailable', { retryAfterSeconds, cause });
}

/** Unknown errors are a 500 without detail. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable) return unavailable(error, 1);
  if (error instanceof PasswordsUnavailable) return unavailable(error, error.retryAfterSeconds);
  const { code, statusCode } = (error ?? {}) as { readonly code?: unknown; readonly statusCode?: unknown };
  // `If-Match` and `If-Unmodified-Since` of a file (@fastify/static).
  if (statusCode === 412) return new Problem('precondition_failed');
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', { closesConnection: true });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', { headers: { accept: 'application/json' } });
    case 'FST_ERR_BAD_URL':
      return new Problem('invalid_path');
    case 'FST_ERR_MAX_PARAM_LENGTH':
    // A method of RTSP, which Node's parser accepts.
    case 'FST_ERR_NOT_FOUND':
      return new Problem('not_found');
    // The client disconnected before its body was complete.
    case 'ECONNRESET':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('malformed_request', { closesConnection: true });
    default:
      return new Problem('internal_error', { cause: error });
  }
}

function closes({ headers, raw }: FastifyRequest, reply: FastifyReply): boolean {
  const isPersistent = raw.httpVersion === '1.1' && !/\bclose\b/i.test(headers.connection ?? '');
  return reply.getHeader('connection') === 'close' || !isPersistent;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Creates the error handler of routes whose error responses are pages. */
    createPageErrorHandler(render: RenderProblem): ErrorHandler;
  }
}

/** Sets the error handler of the API. */
export const problems = fp<ErrorResponseOptions>(async (app, options) => {
  app.decorateRequest<ProblemCode | null, 'problemCode'>('problemCode', null);
  app.decorateRequest('isSignedIn', false);
  app.setErrorHandler(createErrorHandler(options));
  app.decorate('createPageErrorHandler', (render: RenderProblem) => createErrorHandler(options, render));
});

/**
 * The HTTP server: Fastify with everything switched off that repairs, guesses or echoes, and the answers of
 * the protocol itself (404, 405, OPTIONS, what the parser refuses).
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { apiResponseClass } from './api-response.ts';
import { receive, requestId } from './arrival.ts';
import { answerClientError } from './client-errors.ts';
import { logRequest } from './request-log.ts';
import type { Caller, Route } from './route.ts';
import type { ServerOptions } from './server-options.ts';
import { answerProblem, answerUnrouted } from './unrouted.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

const BODY_LIMIT_BYTES = 1_048_576;
const HEADER_LIMIT_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 2_000;
const IDLE_TIMEOUT_MS = 75_000;

export function createServer(options: ServerOptions, routes: readonly Route[]): FastifyInstance {
  const app = Fastify({
    http: {
      ServerResponse: apiResponseClass({
        tls: options.publicUrl.startsWith('https:'),
        cors: options.corsOrigins.length > 0,
      }),
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Checked on arrival, where the refusal gets its body.
      requireHostHeader: false,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    return503OnClosing: false,
    // Bodies are checked and written by our own code: the compilers for it are never loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: requestId,
    clientErrorHandler: answerClientError as never,
    frameworkErrors: (error, request, reply) => answerUnreadable(options, error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 3 * 255 },
  });
  app.decorateRequest('caller');
  app.removeAllContentTypeParsers();
  // Bytes only: input.ts reads them where a route has use for them, which unrouted requests have not.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  // Any expectation but 100-continue is one that we need not meet (RFC 9110 section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    receive(options, request, reply);
    // Here and not later, so that the answer does not depend on the body.
    if (request.is404) answerUnrouted(options, routes, request, reply);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    options.onAnswered(request.caller, reply.statusCode);
    logRequest(options.logger, request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => answerProblem(options, error, request, reply));
  app.setNotFoundHandler((request, reply) => answerUnrouted(options, routes, request, reply));
  return app;
}

function noCompiler(): never {
  throw new Error('No route has a schema that the framework would compile');
}

/** A path that cannot be read is refused by the router, before any hook has seen the request. */
function answerUnreadable(
  options: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  receive(options, request, reply);
  reply.raw.once('finish', () => logRequest(options.logger, request, reply));
  answerProblem(options, error, request, reply);
}

/**
 * The HTTP server: Fastify with everything switched off that repairs, guesses or echoes, and the answers of
 * the protocol itself (404, 405, OPTIONS, what the parser refuses).
 */
import Fastify, { type FastifyInstance } from 'fastify';
import { type ApiResponse, apiResponseClass, type StandingHeaders } from './api-response.ts';
import { createArrival, requestId } from './arrival.ts';
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
  const receive = createArrival(options);
  const app = Fastify({
    http: {
      ServerResponse: apiResponseClass(standingOf(options), {
        onAnswered: (response) => answered(options, response),
        isDraining: options.isDraining,
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
    // A path that cannot be read is refused by the router, before any hook has seen the request.
    frameworkErrors: (error, request, reply) => {
      receive(request, reply);
      answerProblem(options, error, request, reply);
    },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 3 * 255 },
  });
  app.decorateRequest('caller');
  app.removeAllContentTypeParsers();
  // Bytes only: input.ts reads them where a route has use for them. The usual type is found without a search.
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  }
  // Any expectation but 100-continue is one that we need not meet (RFC 9110 section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, reply, done) => {
    receive(request, reply);
    // Here and not later, so that the answer does not depend on the body.
    if (request.is404) answerUnrouted(options, routes, request, reply);
    else done();
  });
  app.setErrorHandler((error, request, reply) => answerProblem(options, error, request, reply));
  app.setNotFoundHandler((request, reply) => answerUnrouted(options, routes, request, reply));
  return app;
}

function noCompiler(): never {
  throw new Error('No route has a schema that the framework would compile');
}

function standingOf({ publicUrl, corsOrigins }: ServerOptions): StandingHeaders {
  return { tls: publicUrl.startsWith('https:'), cors: corsOrigins.length > 0 };
}

/** After the answer is out, so that nobody waits for what is noted about it. */
function answered(options: ServerOptions, response: ApiResponse): void {
  const { received } = response;
  if (received === null) return;
  options.onAnswered(received.caller, response.statusCode);
  logRequest(options.logger, received, response);
}

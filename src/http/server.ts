/**
 * The HTTP server: Fastify with everything switched off that repairs, guesses or echoes, and the answers of
 * the protocol itself (404, 405, OPTIONS, what the parser refuses).
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../problems.ts';
import { type ApiResponse, apiResponseClass } from './api-response.ts';
import { answerClientError } from './client-errors.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { toProblem } from './error-handler.ts';
import { problemResponse } from './problem-response.ts';
import { logRequest } from './request-log.ts';
import type { Caller, Route } from './route.ts';
import { methodsOf } from './route-methods.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

export interface ServerOptions {
  readonly logger: Logger;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** Called once for every answered request, after the answer is out. */
  readonly onAnswered: (caller: Caller, status: number) => void;
  /** True once the process is about to stop: connections are then closed after their answer. */
  readonly isDraining: () => boolean;
}

const BODY_LIMIT_BYTES = 1_048_576;
const HEADER_LIMIT_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_MS = 2_000;
const IDLE_TIMEOUT_MS = 75_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

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
    frameworkErrors: (error, request, reply) => answerProblem(options, error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 3 * 255 },
  });
  app.decorateRequest('caller');
  app.removeAllContentTypeParsers();
  // Bytes only: input.ts reads them where a route has use for them, which unrouted requests have not.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.addHook('onRequest', (request, reply, done) => receive(options, request, reply, done));
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

/** An id from outside goes into logs and headers: only harmless ones are taken over. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const ANONYMOUS: Caller = { kind: 'anonymous' };

function receive(
  options: ServerOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  request.caller = ANONYMOUS;
  const { extraHeaders } = reply.raw as ApiResponse;
  extraHeaders.push('X-Request-Id', request.id);
  if (options.corsOrigins.length > 0) {
    extraHeaders.push(...corsHeaders(options.corsOrigins, request.headers.origin));
  }
  warnOfProxy(options, request);
  if (options.isDraining()) extraHeaders.push('Connection', 'close');
  done(hasTwoHosts(request.raw) ? new Problem('malformed_request') : undefined);
}

let warnedOfProxy = false;

/** Behind a proxy that is not named all clients would share one address, and one limit. Said once. */
function warnOfProxy({ logger, trustProxy }: ServerOptions, { headers }: FastifyRequest): void {
  if (warnedOfProxy || trustProxy.length > 0 || headers['x-forwarded-for'] === undefined) return;
  warnedOfProxy = true;
  logger.warn('X-Forwarded-For is ignored: name the proxy in TRUST_PROXY if there is one in front');
}

/** RFC 9112 section 3.2: more than one Host field is a 400; Node's parser keeps the first and goes on. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

function answerProblem(
  options: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toProblem(error);
  if (problem.status >= 500) {
    const level = problem.status === 500 ? 'error' : 'warn';
    options.logger[level]({ request_id: request.id, code: problem.code, err: problem.cause }, problem.text);
  }
  const { accept } = request.headers;
  const response = problemResponse(problem, { accept, requestId: request.id, publicUrl: options.publicUrl });
  // As bytes, because text would get a charset, which application/problem+json does not have.
  return reply
    .code(response.status)
    .headers(response.headers)
    .send(Buffer.from(JSON.stringify(response.body)));
}

/** Requests that no route takes: an unknown path, a known path with another method, OPTIONS. */
function answerUnrouted(
  options: ServerOptions,
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const methods = methodsOf(routes, request.url);
  if (methods.length === 0) throw new Problem('not_found');
  const allow = methods.join(', ');
  if (request.method !== 'OPTIONS') throw new Problem('method_not_allowed', { headers: { allow } });
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  const isListed = corsHeaders(options.corsOrigins, request.headers.origin).length > 0;
  return reply
    .code(204)
    .headers({ allow, ...(isPreflight && isListed ? preflightHeaders(methods) : {}) })
    .send();
}

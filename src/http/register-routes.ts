/** Registers a route table with Fastify: the one place where entries of the table become routes. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import type { RunIdempotently } from './idempotency/idempotency.ts';
import { validateHeaderValue } from './node-http.ts';
import { checkParams, createBodyReader } from './request/body.ts';
import { MAX_BODY_BYTES } from './request/content.ts';
import { rejectUnknownParameters } from './request/query.ts';
import { serializeProblem } from './response/error-response.ts';
import { JSON_TYPE } from './response/media-types.ts';
import { type StreamOptions, sendStream } from './response/stream-response.ts';
import type { HandlerContext, HandlerResponse, Route, SerializedResponse } from './route.ts';
import { urlPattern } from './supported-methods.ts';

export interface HandlerOptions extends StreamOptions {
  readonly database: Database;
  readonly runIdempotently: RunIdempotently;
  readonly publicUrl: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entry of the route table; undefined where the path is unknown or does not support the method. */
    readonly route?: Route;
  }
}

/** Registers every entry. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  options: HandlerOptions,
): void {
  for (const route of routes) {
    const { method, path, maxBodyBytes: bodyLimit = MAX_BODY_BYTES } = route;
    const schema = { response: responseSchemas(route) };
    const handler = createHandler(route, options);
    app.route({ method, url: urlPattern(path), config: { route }, schema, bodyLimit, handler });
  }
}

function responseSchemas({ responses }: Route): Record<string, unknown> {
  const described = Object.entries(responses).filter(([, { schema }]) => schema !== undefined);
  return Object.fromEntries(described.map(([status, { schema }]) => [status, schema]));
}

function createHandler(route: Route, options: HandlerOptions) {
  const readBody = createBodyReader(route);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = request.params as Record<string, string>;
    const query = request.query as HandlerContext['query'];
    checkParams(params);
    rejectUnknownParameters(route, request.caller, query);
    const context: HandlerContext = {
      caller: request.caller,
      params,
      query,
      body: readBody(request.body, request.caller),
      headers: request.headers,
      clientIp: request.clientIp,
      transaction: (work) => options.database.transaction(work),
    };
    if (!route.idempotent) return send(reply, await route.handle(context), options);
    return send(reply, await handleIdempotently({ route, context, request, reply }, options), options);
  };
}

interface IdempotentCall {
  readonly route: Route;
  readonly context: HandlerContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function handleIdempotently(
  { route, context, request, reply }: IdempotentCall,
  { runIdempotently, publicUrl }: HandlerOptions,
): Promise<SerializedResponse> {
  return runIdempotently({
    route,
    context,
    keys: request.raw.headersDistinct['idempotency-key'],
    rawBody: request.body ?? {},
    serialize: (response) => serialize(reply, response),
    serializeProblem: (problem) => serializeProblem(problem, publicUrl, request),
    execute: (transaction) => route.handle({ ...context, transaction }),
  });
}

/** Returns the bytes that are sent and stored. The schema of the status is an allow-list. */
function serialize(reply: FastifyReply, { status, headers, body }: HandlerResponse): SerializedResponse {
  reply.code(status);
  return {
    status,
    headers: { ...headers, 'content-type': JSON_TYPE },
    body: reply.serialize(body as Record<string, unknown>) as string,
  };
}

function send(
  reply: FastifyReply,
  { status, headers, body, file }: HandlerResponse,
  options: StreamOptions,
): FastifyReply {
  reply.code(status);
  for (const name in headers) setHeader(reply, name, headers[name]!);
  if (file !== undefined) return reply.sendFile(file);
  if (body instanceof Readable) return sendStream(reply, body, options);
  // As bytes, because Fastify would add a charset to a text.
  return reply.send(typeof body === 'string' ? Buffer.from(body) : body);
}

/** Link may be set already, by a deprecation: both are sent. */
function setHeader(reply: FastifyReply, name: string, value: string): void {
  // Before it is set: the error response would otherwise fail for the same header.
  validateHeaderValue(name, value);
  const present = name === 'link' ? reply.getHeader(name) : undefined;
  reply.header(name, present === undefined ? value : [String(present), value]);
}

/** Registers a route table with Fastify: the one place where entries of the table become routes. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Database } from '../database/database.ts';
import type { RunIdempotently } from './idempotency/idempotency.ts';
import { validateHeaderValue } from './node-http.ts';
import { checkParams, createBodyReader } from './request/body.ts';
import { MAX_BODY_BYTES } from './request/content.ts';
import { serializeProblem } from './response/error-response.ts';
import { JSON_TYPE } from './response/media-types.ts';
import type { HandlerContext, HandlerResponse, RenderProblem, Route, SerializedResponse } from './route.ts';

export interface HandlerOptions {
  readonly database: Database;
  readonly runIdempotently: RunIdempotently;
  readonly publicUrl: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entry of the route table; undefined where the path does not support the method. */
    readonly route?: Route;
    /** The methods of the path, for Allow. */
    readonly allow?: string;
    /** Renders error responses of the path, in place of JSON. */
    readonly renderProblem?: RenderProblem | undefined;
  }
}

/** Registers every entry, and for each path the methods that it does not support. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  options: HandlerOptions,
): void {
  for (const [path, entries] of Map.groupBy(routes, (route) => route.path)) {
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    const methods = methodsOf(entries);
    const allow = [...methods, 'OPTIONS'].sort().join(', ');
    const renderProblem = entries.find((route) => route.renderProblem !== undefined)?.renderProblem;
    for (const route of entries) {
      const schema = { response: responseSchemas(route) };
      const handler = createHandler(route, options);
      const { method, maxBodyBytes: bodyLimit = MAX_BODY_BYTES } = route;
      app.route({ method, url, config: { route, allow, renderProblem }, schema, bodyLimit, handler });
    }
    const others = app.supportedMethods.filter((method) => !methods.includes(method));
    app.route({
      method: others as HTTPMethods[],
      url,
      config: { allow, renderProblem },
      handler: rejectedBefore,
    });
  }
}

/** The methods that a path supports: HEAD comes with GET. */
function methodsOf(entries: readonly Route[]): string[] {
  const methods: string[] = entries.map(({ method }) => method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function rejectedBefore(): never {
  throw new Error('A method that a path does not support is rejected when the request is dispatched');
}

function responseSchemas({ responses }: Route): Record<string, unknown> {
  const described = Object.entries(responses).filter(([, { schema }]) => schema !== undefined);
  return Object.fromEntries(described.map(([status, { schema }]) => [status, schema]));
}

function createHandler(route: Route, options: HandlerOptions) {
  const readBody = createBodyReader(route);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const params = request.params as Record<string, string>;
    checkParams(params);
    const context: HandlerContext = {
      caller: request.caller,
      params,
      query: request.query as HandlerContext['query'],
      body: readBody(request.body, request.caller),
      headers: request.headers,
      clientIp: request.clientIp,
      transaction: (work) => options.database.transaction(work),
    };
    if (!route.idempotent) return send(reply, await route.handle(context));
    return send(reply, await handleIdempotently({ route, context, request, reply }, options));
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

function send(reply: FastifyReply, { status, headers, body }: HandlerResponse): FastifyReply {
  reply.code(status);
  for (const name in headers) setHeader(reply, name, headers[name]!);
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

/** Puts a table of routes on the server: the walk of every request stands here, in order. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Problem } from '../problems.ts';
import { authenticate, type FindToken, type IsAdmin } from './authentication.ts';
import { acceptsJson } from './negotiation.ts';
import { checkContent } from './request-body.ts';
import type { Answer, Call, Route } from './route.ts';
import { validate } from './validation.ts';

export interface MountOptions {
  readonly isAdmin: IsAdmin;
  readonly findToken: FindToken;
}

export function mount(app: FastifyInstance, routes: readonly Route[], options: MountOptions): void {
  for (const route of routes) {
    app.route({
      method: route.method as HTTPMethods,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: { response: responseSchemas(route) },
      onRequest: (request) => admit(route, options, request),
      handler: (request, reply) => answer(route, request, reply),
    });
  }
}

/** Before a byte of the body is read: who calls, and whether we speak the same media types. */
async function admit(route: Route, options: MountOptions, request: FastifyRequest): Promise<void> {
  const { authorization, accept } = request.headers;
  request.caller = await authenticate(route, authorization, options.isAdmin, options.findToken);
  if (route.mediaType === undefined && !acceptsJson(accept)) throw new Problem('not_acceptable');
  checkContent(request.headers);
}

async function answer(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const call: Call = {
    caller: request.caller,
    params: checkedParams(route, request.params as Record<string, string>),
    query: request.query as Call['query'],
    body: checkedBody(route, request),
    headers: request.headers,
    address: request.ip,
  };
  const result: Answer = await route.handle(call as never);
  reply.code(result.status);
  if (result.headers !== undefined) reply.headers(result.headers);
  return result.body === undefined ? reply.send() : result.body;
}

const LONGEST_PARAMETER = 255;

/** A parameter longer than any of ours names nothing. */
function checkedParams(route: Route, params: Record<string, string>): Record<string, string> {
  if (route.params === undefined) return params;
  for (const name in params) {
    if (params[name]!.length > LONGEST_PARAMETER) throw new Problem('not_found');
  }
  return params;
}

function checkedBody(route: Route, request: FastifyRequest): unknown {
  if (route.body === undefined) return undefined;
  const { body } = request;
  if (route.checkBody !== undefined) return route.checkBody(body);
  if (body === undefined && route.bodyOptional) return {};
  return validate(route.bodyFor?.(request.caller) ?? route.body, body);
}

function responseSchemas(route: Route): Record<number, unknown> {
  const described = Object.entries(route.responses).filter(([, response]) => response.schema !== undefined);
  return Object.fromEntries(described.map(([status, response]) => [status, response.schema]));
}

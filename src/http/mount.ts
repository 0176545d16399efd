/** Puts a table of routes on the server: the walk of every request stands here, in order. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Database } from '../database/database.ts';
import { Problem } from '../problems.ts';
import { type AdmissionOptions, admit } from './admission.ts';
import type { Rendering, RunIdempotently } from './idempotency/idempotency.ts';
import { problemResponse } from './problem-response.ts';
import type { Call, Route } from './route.ts';
import { validate } from './validation.ts';

export interface MountOptions extends AdmissionOptions {
  readonly database: Database;
  readonly runIdempotently: RunIdempotently;
}

export function mount(app: FastifyInstance, routes: readonly Route[], options: MountOptions): void {
  for (const route of routes) {
    app.route({
      method: route.method as HTTPMethods,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      schema: { response: responseSchemas(route) },
      onRequest: (request, reply) => admit(route, options, request, reply),
      handler: (request, reply) => answer(route, options, request, reply),
    });
  }
}

async function answer(
  route: Route,
  options: MountOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const call = {
    caller: request.caller,
    params: checkedParams(route, request.params as Record<string, string>),
    query: request.query as Call['query'],
    body: checkedBody(route, request),
    headers: request.headers,
    address: request.ip,
  };
  const execute = (commit: Call['commit']) => route.handle({ ...call, commit } as never);
  const rendering = renderingOf(options, request, reply);
  const { body: rawBody } = request;
  const result = route.idempotent
    ? await options.runIdempotently({ route, call, rawBody, rendering, execute })
    : await execute((work) => options.database.transaction(work));
  reply.code(result.status);
  if (result.headers !== undefined) reply.headers(result.headers);
  return result.body === undefined ? reply.send() : result.body;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function renderingOf(options: MountOptions, request: FastifyRequest, reply: FastifyReply): Rendering {
  return {
    answer: ({ status, headers, body }) => ({
      status,
      headers: { ...headers, 'content-type': JSON_TYPE },
      body: String(reply.serializeInput(body as Record<string, unknown>, String(status))),
    }),
    problem(problem) {
      const { accept } = request.headers;
      const { publicUrl } = options;
      const { status, headers, body } = problemResponse(problem, {
        accept,
        requestId: request.id,
        publicUrl,
      });
      return { status, headers, body: JSON.stringify(body) };
    },
  };
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

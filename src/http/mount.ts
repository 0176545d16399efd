/** Puts a table of routes on the server: the walk of every request stands here, in order. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import type { Database } from '../database/database.ts';
import type { TSchema } from '../tools/schema.ts';
import { type AdmissionOptions, admit } from './admission.ts';
import type { RunIdempotently } from './idempotency/idempotency.ts';
import type { WrittenAnswer } from './idempotency/seal.ts';
import { checkedBody, checkedParams, parsedBody } from './input.ts';
import { problemResponse } from './problem-response.ts';
import type { Answer, Call, Route } from './route.ts';
import { send } from './send.ts';
import { compileSerializer, type Serialize } from './serializer.ts';

export interface MountOptions extends AdmissionOptions {
  readonly database: Database;
  readonly runIdempotently: RunIdempotently;
  /** Schemas that those of the routes refer to by `$id`. */
  readonly sharedSchemas: readonly TSchema[];
}

export function mount(app: FastifyInstance, routes: readonly Route[], options: MountOptions): void {
  for (const route of routes) {
    const write = writerOf(route, options.sharedSchemas);
    app.route({
      method: route.method as HTTPMethods,
      url: route.path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest: (request, reply, done) => admit(route, options, request, reply, done),
      handler: async (request, reply) => {
        const { status, headers, body } = await answer(route, write, options, request);
        send(reply, status, headers, body);
      },
    });
  }
}

type Write = (answer: Answer) => WrittenAnswer;

async function answer(
  route: Route,
  write: Write,
  options: MountOptions,
  request: FastifyRequest,
): Promise<WrittenAnswer> {
  const rawBody = parsedBody(route, request.body);
  const call = {
    caller: request.caller,
    params: checkedParams(route, request.params as Record<string, string>),
    query: request.query as Call['query'],
    body: checkedBody(route, rawBody, request.caller),
    headers: request.headers,
    address: request.ip,
  };
  const execute = (commit: Call['commit']) => route.handle({ ...call, commit } as never);
  if (!route.idempotent) return write(await execute((work) => options.database.transaction(work)));
  return options.runIdempotently({
    route,
    call,
    keys: request.raw.headersDistinct['idempotency-key'],
    rawBody,
    write,
    writeProblem: (problem) => {
      const { accept } = request.headers;
      const context = { accept, requestId: request.id, publicUrl: options.publicUrl };
      const { body, ...rest } = problemResponse(problem, context);
      return { ...rest, body: JSON.stringify(body) };
    },
    execute,
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Turns answers into what is sent: JSON by the schema of their status; text is sent as it is. */
function writerOf(route: Route, shared: readonly TSchema[]): Write {
  const serializers = new Map<number, Serialize>();
  for (const [status, { schema }] of Object.entries(route.responses)) {
    if (schema !== undefined) serializers.set(Number(status), compileSerializer(schema, shared));
  }
  return ({ status, headers, body }) => {
    if (body === undefined || typeof body === 'string') return { status, headers: headers ?? {}, body };
    const serialize = serializers.get(status) ?? JSON.stringify;
    return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: serialize(body) };
  };
}

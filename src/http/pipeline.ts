/** The walk of every request stands here, in order: from its arrival to what is noted when it has been answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '../database/database.ts';
import type { TSchema } from '../lib/schema.ts';
import { Problem } from '../problems.ts';
import { type AdmissionOptions, admit } from './admission.ts';
import { checkHead, createArrival } from './arrival.ts';
import type { Connection } from './connection.ts';
import type { RequestContext } from './exchange.ts';
import type { RunIdempotently } from './idempotency/idempotency.ts';
import { checkedBody, checkedParams, parsedBody } from './input.ts';
import { hasBody, readBody } from './request/content.ts';
import type { ApiResponse } from './response/default-headers.ts';
import { errorResponse, writeProblem } from './response/error-response.ts';
import type { Caller, HandlerContext, Route, SerializedResponse } from './route.ts';
import { allowedMethods, createRouter, type RouteMatch } from './router.ts';
import { isListed, preflightHeaders } from './server/cors.ts';
import { createRequestLog } from './server/request-log.ts';
import type { ServerOptions } from './server-options.ts';
import { createWriter, type Write } from './writer.ts';

export interface PipelineOptions extends ServerOptions, AdmissionOptions {
  readonly database: Database;
  readonly runIdempotently: RunIdempotently;
  /** Schemas that those of the routes refer to by `$id`. */
  readonly sharedSchemas: readonly TSchema[];
  /** Called once for every answered request, after the answer is out. */
  readonly onAnswered: (caller: Caller, status: number) => void;
}

/** A route as it is carried out. */
interface Entry {
  readonly route: Route;
  readonly write: Write;
}

/** Gives the listener that answers whatever comes in. */
export function createPipeline(routes: readonly Route[], options: PipelineOptions) {
  const arrive = createArrival(options);
  const log = createRequestLog(options.logger);
  const find = createRouter(
    routes.map((route) => {
      const write = createWriter(route, options.sharedSchemas);
      return [route.method, route.path, { route, write }] as const;
    }),
  );
  const send = (exchange: RequestContext, { status, headers, body }: SerializedResponse) => {
    exchange.response.answer(status, headers, body);
    // After the answer is out, so that nobody waits for what is noted about it.
    options.onAnswered(exchange.caller, status);
    log(exchange, status);
  };
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = arrive(request, response as ApiResponse);
    try {
      checkHead(request);
      const place = find(request.url!);
      const entry = place?.entries.get(request.method === 'HEAD' ? 'GET' : request.method!);
      if (entry === undefined) send(exchange, unrouted(place, options.corsOrigins, exchange));
      else send(exchange, await answer(entry, place!, options, exchange));
    } catch (error) {
      const refused = errorResponse(error, options, exchange);
      // A failure after the answer is not a failure of the answer.
      if (!response.headersSent) send(exchange, refused);
    }
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const connection: Connection = request.socket;
    if (connection.isEnding) return;
    connection.newestRequest = request;
    answerTo(request, response).catch((error) => {
      // Not even a refusal could be sent: one request must not end the process.
      options.logger.error({ err: error }, 'a request could not be answered');
      response.destroy();
    });
  };
}

/** An unknown path, a known path with another method, OPTIONS. @throws Problem not_found, method_not_allowed */
function unrouted(
  place: RouteMatch<Entry> | null,
  corsOrigins: readonly string[],
  { request, headers }: RequestContext,
): SerializedResponse {
  if (place === null) throw new Problem('not_found');
  const methods = allowedMethods(place);
  const allow = methods.join(', ');
  if (request.method !== 'OPTIONS') throw new Problem('method_not_allowed', { headers: { allow } });
  const isPreflight = headers['access-control-request-method'] !== undefined;
  const isAllowed = isPreflight && isListed(corsOrigins, headers.origin);
  const preflight = isAllowed ? preflightHeaders(methods) : {};
  return { status: 204, headers: { allow, ...preflight }, body: undefined };
}

async function answer(
  { route, write }: Entry,
  place: RouteMatch<Entry>,
  options: PipelineOptions,
  exchange: RequestContext,
): Promise<SerializedResponse> {
  exchange.route = route;
  const admitted = admit(route, options, exchange);
  if (admitted !== undefined) await admitted;
  const { request, response, headers, caller, address } = exchange;
  const isRead = route.body !== undefined && hasBody(headers);
  const rawBody = parsedBody(route, isRead ? await readBody(request, response) : undefined);
  const call: HandlerContext = {
    caller,
    params: checkedParams(route, place.params),
    query: place.query,
    body: checkedBody(route, rawBody, caller),
    headers,
    address,
    commit: (work) => options.database.transaction(work),
  };
  if (!route.idempotent) return write(await route.handle(call));
  return options.runIdempotently({
    route,
    call,
    keys: request.headersDistinct['idempotency-key'],
    rawBody,
    write,
    writeProblem: (problem) => writeProblem(problem, options, exchange),
    execute: (commit) => route.handle({ ...call, commit }),
  });
}

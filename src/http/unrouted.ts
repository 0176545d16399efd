/** Answers of the server itself: what was thrown, and requests that no route takes. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { toProblem } from './error-handler.ts';
import { problemResponse } from './problem-response.ts';
import type { Route } from './route.ts';
import { methodsOf } from './route-methods.ts';
import { send } from './send.ts';
import type { ServerOptions } from './server-options.ts';

/** Answers whatever was thrown as a problem, and logs what the client is not told. */
export function answerProblem(
  options: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const problem = toProblem(error);
  if (problem.status >= 500) {
    const level = problem.status === 500 ? 'error' : 'warn';
    options.logger[level]({ request_id: request.id, code: problem.code, err: problem.cause }, problem.text);
  }
  const { accept } = request.headers;
  const response = problemResponse(problem, { accept, requestId: request.id, publicUrl: options.publicUrl });
  send(reply, response.status, response.headers, JSON.stringify(response.body));
}

/** An unknown path, a known path with another method, OPTIONS. @throws Problem not_found, method_not_allowed */
export function answerUnrouted(
  options: ServerOptions,
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const methods = methodsOf(routes, request.url);
  if (methods.length === 0) throw new Problem('not_found');
  const allow = methods.join(', ');
  if (request.method !== 'OPTIONS') throw new Problem('method_not_allowed', { headers: { allow } });
  const isPreflight = request.headers['access-control-request-method'] !== undefined;
  const isListed = corsHeaders(options.corsOrigins, request.headers.origin).length > 0;
  send(reply, 204, { allow, ...(isPreflight && isListed ? preflightHeaders(methods) : {}) }, undefined);
}

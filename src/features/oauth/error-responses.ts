/** Error responses of the endpoints for applications, in the form of RFC 6749 section 5.2. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem, ProblemCode } from '../../problems/problem.ts';
import { OAuthError } from './oauth-error.ts';

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' };

/** Creates the error handler of routes whose errors have the form of the standard, those before the handler included. */
export function createOAuthErrorHandler(
  app: FastifyInstance,
  allowOrigin: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
) {
  const handleProblem = app.createPageErrorHandler(async (problem) => ({
    headers: JSON_HEADERS,
    body: formatError(toCode(problem), problem.text),
  }));
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    await allowOrigin(request, reply);
    if (!(error instanceof OAuthError)) return handleProblem(error, request, reply);
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="oauth"');
    return reply
      .code(error.status)
      .headers(JSON_HEADERS)
      .send(Buffer.from(formatError(error.code, error.message)));
  };
}

const formatError = (error: string, error_description: string) =>
  JSON.stringify({ error, error_description });

const CODES: Partial<Record<ProblemCode, string>> = {
  unauthorized: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
  internal_error: 'server_error',
};

function toCode({ code, status }: Problem): string {
  return CODES[code] ?? (status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request');
}

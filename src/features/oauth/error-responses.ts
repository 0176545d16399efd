/** Errors of the endpoints for applications, in the form of RFC 6749 section 5.2. */
import type { FastifyInstance } from 'fastify';
import type { ErrorHandler } from '../../plugins/problems/error-response.ts';
import type { Problem, ProblemCode } from '../../problems/problem.ts';
import { NOT_CACHED } from '../people/tokens/token-responses.ts';

/** Codes of RFC 6749 section 5.2, and RFC 8628 section 3.5. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token';

export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

const HEADERS = { ...NOT_CACHED, 'content-type': 'application/json' };

/**
 * Creates the error handler of the endpoints, also of errors before their handlers. A failed authentication of a client
 * counts as a sign-in of its network: when this limit is used up, its error replaces the 401.
 */
export function createOAuthErrorHandler(app: FastifyInstance): ErrorHandler {
  const handleProblem = app.createPageErrorHandler(async (problem) => ({
    headers: HEADERS,
    body: formatError(toCode(problem), describe(problem)),
  }));
  return async (error, request, reply) => {
    if (!(error instanceof OAuthError)) return handleProblem(error, request, reply);
    const isUnauthorized = error.code === 'invalid_client';
    if (isUnauthorized) {
      try {
        await reply.countNetwork('login');
      } catch (limited) {
        return handleProblem(limited, request, reply);
      }
      reply.header('www-authenticate', 'Basic realm="oauth"');
    }
    request.rejection = `${error.code}: ${error.message}`;
    const body = Buffer.from(formatError(error.code, error.message));
    return reply
      .code(isUnauthorized ? 401 : 400)
      .headers(HEADERS)
      .send(body);
  };
}

const formatError = (error: string, error_description: string) =>
  JSON.stringify({ error, error_description });

function describe({ code, text, options: { denied } }: Problem): string {
  if (code === 'unsupported_media_type') return 'The body must be application/x-www-form-urlencoded';
  return denied === undefined ? text : `The token lacks the scope ${denied.scopes.join(' ')}`;
}

const CODES: Partial<Record<ProblemCode, string>> = {
  unauthorized: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
  internal_error: 'server_error',
};

function toCode({ code, status, options: { headers } }: Problem): string {
  // A request without a credential has presented no token (RFC 6750 section 3.1).
  if (code === 'unauthorized' && !headers?.['www-authenticate']?.includes('error=')) return 'invalid_request';
  return CODES[code] ?? (status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request');
}

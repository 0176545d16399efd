/** Whatever was thrown, as the answer that the client gets. */
import type { Logger } from 'pino';
import { DatabaseUnavailable } from '../../database/database.ts';
import { PasswordsUnavailable } from '../../lib/passwords.ts';
import { Problem } from '../../problems.ts';
import type { RequestContext } from '../exchange.ts';
import type { SerializedResponse } from '../route.ts';
import { problemResponse } from './problem-response.ts';

/** Logs what the client is not told. */
export function errorResponse(
  error: unknown,
  options: { readonly logger: Logger; readonly publicUrl: string },
  exchange: RequestContext,
): SerializedResponse {
  const problem = toProblem(error);
  if (problem.status >= 500) {
    const level = problem.status === 500 ? 'error' : 'warn';
    options.logger[level]({ request_id: exchange.id, code: problem.code, err: problem.cause }, problem.text);
  }
  return writeProblem(problem, options, exchange);
}

/** In the words and the media type that this client reads. */
export function writeProblem(
  problem: Problem,
  { publicUrl }: { readonly publicUrl: string },
  { headers: { accept }, id }: RequestContext,
): SerializedResponse {
  return problemResponse(problem, { accept, requestId: id, publicUrl });
}

/** What nobody expected is a 500 without detail. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable || error instanceof PasswordsUnavailable) {
    return new Problem('service_unavailable', { headers: { 'retry-after': '1' }, cause: error });
  }
  return new Problem('internal_error', { cause: error });
}

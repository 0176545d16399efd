/** Turns whatever was thrown into one problem. What is not expected is a 500 without detail. */
import { DatabaseUnavailable } from '../database/database.ts';
import { Problem, type ProblemCode } from '../problems.ts';
import { PasswordQueueFull } from '../tools/passwords.ts';

/** Fastify's own refusals, by its code. */
const FRAMEWORK: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'invalid_path',
  FST_ERR_ASYNC_CONSTRAINT: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const EXTRA_HEADERS: Partial<Record<ProblemCode, Record<string, string>>> = {
  // What is left of the body would be read as the next request.
  payload_too_large: { connection: 'close' },
  unsupported_media_type: { accept: 'application/json' },
};

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable || error instanceof PasswordQueueFull) {
    return new Problem('service_unavailable', { headers: { 'retry-after': '1' }, cause: error });
  }
  const code = FRAMEWORK[String((error as { code?: unknown } | null)?.code)];
  if (code === undefined) return new Problem('internal_error', { cause: error });
  return new Problem(code, { headers: EXTRA_HEADERS[code] ?? {}, cause: error });
}

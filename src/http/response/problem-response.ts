/** One problem, in the words and the media type that this client reads. */
import { catalogue, type Problem, type ProblemDetail } from '../../problems.ts';
import type { SerializedResponse } from '../route.ts';
import { JSON_TYPE, PROBLEM_TYPE } from './media-types.ts';
import { prefersProblemJson } from './negotiation.ts';

export interface ProblemContext {
  readonly accept: string | undefined;
  readonly requestId: string;
  readonly publicUrl: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The product's own form, or RFC 9457 where the client prefers that. */
export function problemResponse(problem: Problem, context: ProblemContext): SerializedResponse {
  const asProblemJson = prefersProblemJson(context.accept);
  return {
    status: problem.status,
    headers: { 'content-type': asProblemJson ? PROBLEM_TYPE : JSON_TYPE, ...problem.options.headers },
    body: JSON.stringify(asProblemJson ? problemJson(problem, context) : plainJson(problem)),
  };
}

/** The product's own bodies: `error` and `code` in every one, and what the kind of problem adds. */
function plainJson(problem: Problem): Record<string, unknown> {
  const { code, status, text, rendering } = problem;
  const { errors } = problem.options;
  if (rendering === 'protocol') return { statusCode: status, code, error: text, message: text };
  const body: Record<string, unknown> = { error: text, code };
  if (rendering === 'message' && !Array.isArray(errors)) body.message = text;
  if (errors !== undefined) body.errors = errors;
  return body;
}

/** RFC 9457, with `error` and `code` as extension members so that one parser reads both forms. */
function problemJson(problem: Problem, context: ProblemContext): Record<string, unknown> {
  const { code, status, text } = problem;
  const details: readonly ProblemDetail[] | undefined = problem.options.details;
  const title = catalogue[code].text;
  return {
    type: problem.options.type ?? `${context.publicUrl}/docs/problems#${code}`,
    title,
    status,
    detail: text,
    ...(UUID.test(context.requestId) ? { instance: `urn:uuid:${context.requestId}` } : {}),
    code,
    error: text,
    ...(details === undefined ? {} : { errors: details }),
    ...problem.options.members,
  };
}

/** Serialises a problem in the media type that the client prefers. */
import type { FastifyRequest } from 'fastify';
import type { SerializedResponse } from '../../lib/routes/routes.ts';
import { catalogue, type Problem } from '../../problems/problem.ts';
import { JSON_TYPE, PROBLEM_TYPE, prefersProblemJson } from './negotiation.ts';

export interface ProblemContext {
  readonly accept: string | undefined;
  readonly requestId: string;
  readonly publicUrl: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the response in the product's own format, or as RFC 9457 where the client prefers that. */
export function problemResponse(problem: Problem, context: ProblemContext): SerializedResponse {
  const asProblemJson = prefersProblemJson(context.accept);
  return {
    status: problem.status,
    headers: { 'content-type': asProblemJson ? PROBLEM_TYPE : JSON_TYPE, ...problemHeaders(problem) },
    body: JSON.stringify(asProblemJson ? problemJson(problem, context) : plainJson(problem)),
  };
}

export function serializeProblem(
  problem: Problem,
  publicUrl: string,
  { headers, id }: FastifyRequest,
): SerializedResponse {
  return problemResponse(problem, { accept: headers.accept, requestId: id, publicUrl });
}

export function problemHeaders({ status, options }: Problem): Record<string, string> {
  const { headers, retryAfterSeconds, closesConnection } = options;
  return {
    // RFC 9110 section 15.5.2: a challenge with every 401. Bearer makes no browser ask for a password.
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="api"' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(closesConnection === true ? { connection: 'close' } : {}),
    ...headers,
  };
}

/** The product's own format: `error` and `code` always, further members by the kind of problem. */
function plainJson(problem: Problem): Record<string, unknown> {
  const { code, status, text, rendering } = problem;
  const { errors, members } = problem.options;
  if (rendering === 'protocol') return { statusCode: status, code, error: text, message: text };
  const body: Record<string, unknown> = { error: text, code };
  if (rendering === 'message' && !Array.isArray(errors)) body.message = text;
  if (errors !== undefined) body.errors = errors;
  if (rendering === 'message') Object.assign(body, members);
  return body;
}

/** RFC 9457, with `error` and `code` as extension members, so that one parser reads both formats. */
function problemJson(problem: Problem, context: ProblemContext): Record<string, unknown> {
  const { code, status, text } = problem;
  const { details, members, type } = problem.options;
  return {
    type: type ?? `${context.publicUrl}/docs/problems#${code}`,
    title: catalogue[code].text,
    status,
    detail: text,
    ...(UUID.test(context.requestId) ? { instance: `urn:uuid:${context.requestId}` } : {}),
    code,
    error: text,
    ...(details === undefined ? {} : { errors: details }),
    ...members,
  };
}

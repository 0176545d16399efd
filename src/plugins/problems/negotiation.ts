/** Content negotiation by the headers Accept and Accept-Language (RFC 9110 sections 12.5.1 and 12.5.4). */
import type { FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import Negotiator from 'negotiator';
import { Problem } from '../../problems/problem.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 9457; the type has no charset parameter. */
export const PROBLEM_TYPE = 'application/problem+json';
const PLAIN_JSON = 'application/json';
/** Some clients name the charset, which all texts have: a range with a parameter matches only a type that has it. */
const UTF_8 = /;[ \t]*charset="?utf-8"?(?![\w-])/gi;

/** Whether a JSON response is acceptable. A client that names only the format of errors is served as well. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === PLAIN_JSON) return true;
  const available = namesProblemJson(accept) ? [PLAIN_JSON, PROBLEM_TYPE] : [PLAIN_JSON];
  return preferred(accept, available) !== undefined;
}

/** Whether error responses are RFC 9457 documents: only if the client names them and does not prefer JSON. */
export function prefersProblemJson(accept: string | undefined): boolean {
  if (accept === undefined || !namesProblemJson(accept)) return false;
  // With equal weights, the range that is named first wins.
  const ranges = accept.split(',').sort((a, b) => Number(namesProblemJson(b)) - Number(namesProblemJson(a)));
  return preferred(ranges.join(','), [PROBLEM_TYPE, PLAIN_JSON]) === PROBLEM_TYPE;
}

/** Whether a page is preferred to JSON, as browsers do; a client that accepts both alike gets JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  return accept !== undefined && preferred(accept, [PLAIN_JSON, 'text/html']) === 'text/html';
}

/** Returns the media type that the client prefers, the first of several alike; undefined if it accepts none. */
export function preferredType<T extends string>(accept: string | undefined, available: readonly T[]) {
  return accept === undefined || accept === ''
    ? available[0]
    : (preferred(accept, available) as T | undefined);
}

const namesProblemJson = (accept: string): boolean => /application\/problem\+json/i.test(accept);

function preferred(accept: string, available: readonly string[]): string | undefined {
  return new Negotiator({ headers: { accept: accept.replace(UTF_8, '') } }).mediaType([...available]);
}

/** Rejects clients that accept no media type of the operation. Errors: Problem not_acceptable. */
export const jsonResponses = fp(async (app) => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { accept } = request.headers;
    const isAcceptable = acceptsJson(accept) || acceptsOther(accept, request.routeOptions.schema);
    done(isAcceptable ? undefined : new Problem('not_acceptable'));
  });
});

function acceptsOther(accept: string | undefined, schema: FastifySchema | undefined): boolean {
  const responses = (schema?.response ?? {}) as Readonly<Record<number, { content?: object }>>;
  const content = responses[200]?.content;
  if (content === undefined) return false;
  return !('application/json' in content) || preferredType(accept, Object.keys(content)) !== undefined;
}

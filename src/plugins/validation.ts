/** Validation of requests by the schemas of their routes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifySchemaCompiler } from 'fastify';
import fp from 'fastify-plugin';
import type { JsonSchema } from '../lib/schema/json-schema.ts';
import { createQueryValidator } from '../lib/schema/query-parameters.ts';
import { createValidator } from '../lib/schema/validator.ts';
import { countCodePoints } from '../lib/text/text.ts';
import { Problem } from '../problems/problem.ts';
import { queryFailed } from '../problems/validation-failed.ts';

/** Characters of a path parameter: a longer one cannot name anything. */
const MAX_PARAMETER_LENGTH = 255;
/** A character takes at most four bytes of UTF-8, each written as `%xx`: routing measures before decoding. */
export const MAX_ENCODED_PARAMETER_LENGTH = MAX_PARAMETER_LENGTH * 12;

/**
 * Compiles the validators of parameters, bodies and required headers. Their errors: Problem not_found, invalid_payload,
 * validation_failed, invalid_limit, invalid_cursor, invalid_filter, precondition_required.
 */
export const compileValidator: FastifySchemaCompiler<JsonSchema> = ({ schema, httpPart }) =>
  toValidator(VALIDATORS[httpPart as keyof typeof VALIDATORS](schema));

/** The compiler of routes whose use cases validate the body. */
export const validateAllButBody: FastifySchemaCompiler<JsonSchema> = (part) =>
  part.httpPart === 'body' ? () => true : compileValidator(part);

const VALIDATORS = {
  body: createValidator,
  params: () => checkParameters,
  querystring: createQueryValidator,
  headers: ({ required = [] }) => (required.length === 0 ? (headers: unknown) => headers : checkPrecondition),
} as const satisfies Record<string, (schema: JsonSchema) => (value: unknown) => unknown>;

/** The only header that routes require. @throws Problem precondition_required */
function checkPrecondition(headers: unknown): unknown {
  if ((headers as IncomingHttpHeaders)['if-match'] === undefined) throw new Problem('precondition_required');
  return headers;
}

/** Turns a function that throws a problem into a validator of Fastify. */
export function toValidator(check: (value: unknown) => unknown) {
  return (value: unknown): { value: unknown } | { error: Error } => {
    try {
      return { value: check(value) };
    } catch (error) {
      return { error: error as Error };
    }
  };
}

/** @throws Problem not_found for a path parameter that is too long */
function checkParameters(parameters: unknown): unknown {
  for (const value of Object.values(parameters as Record<string, string>)) {
    // A text has at most as many characters as code units, which need no counting.
    if (value.length > MAX_PARAMETER_LENGTH && countCodePoints(value) > MAX_PARAMETER_LENGTH)
      throw new Problem('not_found');
  }
  return parameters;
}

/**
 * Rejects unknown query parameters of the administrator; v1 ignores those of others. Errors: Problem validation_failed.
 */
export const knownParameters = fp(async (app) => {
  app.addHook('preValidation', (request, _reply, done) => {
    const given = request.caller.kind === 'admin' ? Object.keys(request.query as object) : [];
    if (given.length === 0) return done();
    const { schema } = request.routeOptions;
    const known = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {};
    const unknown = given.filter((name) => !Object.hasOwn(known, name));
    if (unknown.length === 0) return done();
    const messages = unknown.map((name) => [name, [`The ${name} parameter is not allowed here.`]]);
    done(queryFailed(Object.fromEntries(messages)));
  });
});

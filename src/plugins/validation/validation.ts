/** Validation of requests by the schemas of their routes. */
import type { FastifySchemaCompiler } from 'fastify';
import fp from 'fastify-plugin';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import { createValidator } from '../../lib/schema/validator.ts';
import { codePointLength } from '../../lib/text/text.ts';
import { Problem } from '../../problems/problem.ts';

/** Characters of a path parameter: a longer one cannot name anything. */
const MAX_PARAMETER_LENGTH = 255;
/** A character takes at most four bytes of UTF-8, each written as `%xx`: routing measures before decoding. */
export const MAX_ENCODED_PARAMETER_LENGTH = MAX_PARAMETER_LENGTH * 12;

/**
 * Validates path parameters and bodies. The query is read by the features: its problems have codes of their own.
 * Errors: Problem not_found, invalid_payload, validation_failed.
 */
export const validation = fp(async (app) => {
  app.setValidatorCompiler(compileValidator);
});

const compileValidator: FastifySchemaCompiler<JsonSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return toValidator(createValidator(schema));
  return httpPart === 'params' ? toValidator(checkParameters) : () => true;
};

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
    if (value.length > MAX_PARAMETER_LENGTH && codePointLength(value) > MAX_PARAMETER_LENGTH)
      throw new Problem('not_found');
  }
  return parameters;
}

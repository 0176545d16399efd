/** The body parser of the server and the checks of body and parameters that precede a handler. */
import type { FastifyRequest } from 'fastify';
import { codePointLength } from '../../lib/text.ts';
import { Problem } from '../../problems/problem.ts';
import type { Caller, Route } from '../../http/route.ts';
import { parseFormBody } from '../form-bodies/form-body.ts';
import { parseJsonBody } from './json-body.ts';
import { createValidator, type Validate } from '../validation/validation.ts';

/** Characters of a path parameter: a longer one cannot name anything. */
export const MAX_PARAMETER_LENGTH = 255;
/** A character takes at most four bytes of UTF-8, each written as `%xx`: routing measures before decoding. */
export const MAX_ENCODED_PARAMETER_LENGTH = MAX_PARAMETER_LENGTH * 12;

type Done = (error: Error | null, body?: unknown) => void;

/** Parses the bytes of a body in the media type of the route. Routes without a body schema ignore theirs. */
export function parseBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  const { route } = request.routeOptions.config;
  if (route?.body === undefined || bytes.length === 0) {
    done(null, undefined);
    return;
  }
  try {
    const isForm = route.bodyType === 'form';
    done(null, isForm ? parseFormBody(bytes) : parseJsonBody(bytes, route.repeatedMembers));
  } catch (error) {
    if (route.ignoresInvalidPayload) done(null, undefined);
    else done(route.invalidPayload?.((error as Error).cause) ?? (error as Error));
  }
}

/** Returns the validated body for the handler. */
export type ReadBody = (parsed: unknown, caller: Caller) => unknown;

/** Creates the validation of a route's body. It throws Problem invalid_payload, validation_failed. */
export function createBodyReader(route: Route): ReadBody {
  const { body, bodyFor, bodyOptional, checkBody, ignoresInvalidPayload } = route;
  if (body === undefined) return () => undefined;
  // Where a body may be absent, an absent one is an object without members.
  const isAbsent = (parsed: unknown) =>
    (parsed === undefined && bodyOptional) || (ignoresInvalidPayload && !isJsonObject(parsed));
  const orEmpty = (parsed: unknown) => (isAbsent(parsed) ? {} : parsed);
  if (checkBody !== undefined) return (parsed) => checkBody(orEmpty(parsed));
  if (bodyFor === undefined) {
    const validate = createValidator(body);
    return (parsed) => validate(orEmpty(parsed));
  }
  const validators = new Map<unknown, Validate>();
  return (parsed, caller) => {
    const schema = bodyFor(caller);
    const validate = validators.get(schema) ?? createValidator(schema);
    validators.set(schema, validate);
    return validate(orEmpty(parsed));
  };
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws Problem not_found for a path parameter that is too long */
export function checkParams(params: Readonly<Record<string, string>>): void {
  for (const name in params) {
    const value = params[name]!;
    // A text has at most as many characters as code units, which need no counting.
    if (value.length > MAX_PARAMETER_LENGTH && codePointLength(value) > MAX_PARAMETER_LENGTH) {
      throw new Problem('not_found');
    }
  }
}

/** What a handler gets of the path and the body. */
import { Problem } from '../problems.ts';
import { codePointLength } from '../tools/text.ts';
import { parseJsonBody } from './json-body.ts';
import type { Caller, Route } from './route.ts';
import { LONGEST_PARAMETER, type Params } from './router.ts';
import { validate } from './validation.ts';

/** A parameter longer than any of ours names nothing. @throws Problem not_found */
export function checkedParams(route: Route, params: Params): Params {
  if (route.params === undefined) return params;
  for (const name in params) {
    const value = params[name]!;
    // A text has at most as many characters as code units, which need no counting.
    if (value.length > LONGEST_PARAMETER && codePointLength(value) > LONGEST_PARAMETER) {
      throw new Problem('not_found');
    }
  }
  return params;
}

/**
 * Takes the bytes of the body, if there is one; none is an object without members where that will do.
 * @throws Problem invalid_payload
 */
export function parsedBody(route: Route, bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return route.bodyOptional ? {} : undefined;
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    throw route.refusePayload?.() ?? error;
  }
}

/** Takes the body as parsed. @throws Problem invalid_payload, validation_failed */
export function checkedBody(route: Route, parsed: unknown, caller: Caller): unknown {
  if (route.body === undefined) return undefined;
  if (route.checkBody !== undefined) return route.checkBody(parsed);
  return validate(route.bodyFor?.(caller) ?? route.body, parsed);
}

/** What a handler gets of the path and the body. */

import { codePointLength } from '../lib/text.ts';
import { Problem } from '../problems.ts';
import { parseJsonBody } from './request/json-body.ts';
import { validate } from './request/validation.ts';
import type { Caller, Route } from './route.ts';
import { MAX_PARAMETER_LENGTH, type Params } from './router.ts';

/** A parameter longer than any of ours names nothing. @throws Problem not_found */
export function checkedParams(route: Route, params: Params): Params {
  if (route.params === undefined) return params;
  for (const name in params) {
    const value = params[name]!;
    // A text has at most as many characters as code units, which need no counting.
    if (value.length > MAX_PARAMETER_LENGTH && codePointLength(value) > MAX_PARAMETER_LENGTH) {
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

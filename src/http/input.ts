/** What a handler gets of the path and the body. */
import { Problem } from '../problems.ts';
import { parseJsonBody } from './json-body.ts';
import type { Caller, Route } from './route.ts';
import type { Params } from './router.ts';
import { validate } from './validation.ts';

const LONGEST_PARAMETER = 255;

/** A parameter longer than any of ours names nothing. @throws Problem not_found */
export function checkedParams(route: Route, params: Params): Params {
  if (route.params === undefined) return params;
  for (const name in params) {
    if (params[name]!.length > LONGEST_PARAMETER) throw new Problem('not_found');
  }
  return params;
}

/** Takes the bytes of the body; gives undefined for none. @throws Problem invalid_payload */
export function parsedBody(route: Route, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    throw route.refusePayload?.() ?? error;
  }
}

/** Takes the body as parsed. @throws Problem invalid_payload, validation_failed */
export function checkedBody(route: Route, parsed: unknown, caller: Caller): unknown {
  if (route.body === undefined) return undefined;
  const body = parsed === undefined && route.bodyOptional ? {} : parsed;
  if (route.checkBody !== undefined) return route.checkBody(body);
  return validate(route.bodyFor?.(caller) ?? route.body, body);
}

/** Finds the error responses that all operations have, or most of them. */
import { getOperations } from './operations.ts';
import { type Json, resolveResponse } from './schema.ts';

const known = new WeakMap<Json, ReadonlySet<string>>();

/** Identifies an error response by its status and description, which lists its codes; empty for other responses. */
export function toErrorKey(status: string, { description = '' }: Json): string {
  return /^[45]/.test(status) ? `${status} ${description}` : '';
}

/** Returns the responses that all operations have besides their own, by status. */
export function getSharedResponses(api: Json): [status: string, response: Json][] {
  return Object.entries<Json>(api['x-common-responses'] ?? {});
}

/** Returns the header fields that all responses have besides their own. */
export function getSharedHeaders(api: Json): Json {
  return api['x-common-headers'] ?? {};
}

/** Returns the keys of the error responses that more than half of the operations have. */
export function getCommonErrors(api: Json): ReadonlySet<string> {
  const found = known.get(api);
  if (found !== undefined) return found;
  const operations = getOperations(api);
  const counts = new Map<string, number>();
  for (const { details } of operations) {
    for (const [status, response] of Object.entries<Json>(details.responses ?? {})) {
      const key = toErrorKey(status, resolveResponse(api, response));
      if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const common = [...counts].filter(([, count]) => count > operations.length / 2).map(([key]) => key);
  known.set(api, new Set(common));
  return known.get(api)!;
}

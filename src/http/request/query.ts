/** Checks the names of query parameters. */
import type { Caller, HandlerContext, Route } from '../route.ts';
import { queryFailed } from './validation.ts';

/**
 * Rejects query parameters of the administrator that the operation does not know: a filter that is misspelt would
 * otherwise select everything. Those of other callers are ignored, as v1 promises.
 * @throws Problem validation_failed that names each of them
 */
export function rejectUnknownParameters(
  { query: known = {} }: Pick<Route, 'query'>,
  { kind }: Caller,
  query: HandlerContext['query'],
): void {
  if (kind !== 'admin') return;
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  throw queryFailed(
    Object.fromEntries(unknown.map((name) => [name, [`The ${name} parameter is not allowed here.`]])),
  );
}

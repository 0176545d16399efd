/**
 * Parts that all operations have: in `x-common-responses` and `x-common-headers` at the top of the document, and in the
 * text of the introduction, instead of in each operation.
 */
import { catalogue, type ProblemCode } from '../../problems/problem.ts';
import { RATE_LIMIT_HEADERS, type SharedHeader } from './headers.ts';
import type { Json } from './json.ts';
import { ALWAYS } from './route-problems.ts';

/** Codes of errors that do not depend on the operation, but on how the request is sent. */
export const COMMON_CODES: ReadonlySet<ProblemCode> = new Set([
  ...ALWAYS,
  'not_acceptable',
  'cross_site_request',
  'console_request_rejected',
] as const);

export const COMMON_HEADERS: readonly SharedHeader[] = ['X-Request-Id', ...RATE_LIMIT_HEADERS];

export interface CommonParts {
  readonly 'x-common-responses': Json;
  readonly 'x-common-headers': Json;
}

/** Describes the common parts for readers of tools that do not know the extensions. */
export function describeCommonParts(): string {
  const statuses = Map.groupBy(COMMON_CODES, (code) => catalogue[code].status);
  const errors = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => `${status} (${codes.map((code) => `\`${code}\``).join(', ')})`);
  return [
    `Besides its own errors, every operation may respond with ${errors.join(', ')}: \`x-common-responses\`.`,
    `Every response has the header \`X-Request-Id\`, and ${RATE_LIMIT_HEADERS.map((name) => `\`${name}\``).join(', ')} if its request counts against a limit: \`x-common-headers\`.`,
  ].join(' ');
}

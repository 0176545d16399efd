/** Error responses: one shared component for each status with the same set of codes. */

import { STATUS_CODES } from '../../lib/node-http.ts';
import { catalogue, type ProblemCode } from '../../problems/problem.ts';
import type { DescribedRoute } from './described-route.ts';
import { nameErrorResponses } from './error-response-names.ts';
import { ERROR_HEADERS, headerRefs, type SharedHeader } from './headers.ts';
import { componentRef, type Json } from './json.ts';
import { findProblems } from './route-problems.ts';

interface ErrorGroup {
  readonly status: number;
  /** In the order of the catalogue. */
  readonly codes: readonly ProblemCode[];
  /** The operations that have it. */
  readonly routes: DescribedRoute[];
}

const CODES = Object.keys(catalogue) as ProblemCode[];

/** An example of each code, named by it. */
export const errorExamples: Json = Object.fromEntries(
  CODES.map((code) => [code, { value: createExample(code) }]),
);

export interface ErrorResponses {
  /** References by status, for an operation. */
  toReferences(route: DescribedRoute): Json;
  /** By name, ordered by status. */
  readonly components: Json;
}

/** Returns the error responses of all operations. A status that a route describes itself is left to it. */
export function createErrorResponses(routes: readonly DescribedRoute[]): ErrorResponses {
  const groups = new Map<string, ErrorGroup>();
  const ofRoute = new Map(routes.map((route) => [route, addGroups(route, groups)]));
  const names = nameErrorResponses([...groups.values()]);
  const ordered = [...names].sort(([one], [other]) => one.status - other.status);
  return {
    toReferences(route) {
      const own = ofRoute.get(route) ?? [];
      return Object.fromEntries(
        own.map((group) => [group.status, componentRef('responses', names.get(group)!)]),
      );
    },
    components: Object.fromEntries(ordered.map(([group, name]) => [name, errorResponse(group)])),
  };
}

/** Adds the groups of a route to those of all routes, and returns its own, ordered by status. */
function addGroups(route: DescribedRoute, groups: Map<string, ErrorGroup>): ErrorGroup[] {
  const possible = new Set(findProblems(route));
  const byStatus = Map.groupBy(
    CODES.filter((code) => possible.has(code)),
    (code) => catalogue[code].status,
  );
  return [...byStatus]
    .filter(([status]) => !(status in ((route.schema.response as object | undefined) ?? {})))
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => {
      const key = codes.join();
      const group = groups.get(key) ?? { status, codes, routes: [] };
      group.routes.push(route);
      groups.set(key, group);
      return group;
    });
}

/** Returned by the HTTP parser: nothing is counted, and no media type is negotiated. */
const PARSER_STATUSES: readonly number[] = [408, 431];

const HEADERS_OF_STATUS: Readonly<Record<number, readonly SharedHeader[]>> = {
  401: ['WWW-Authenticate'],
  408: ['Connection'],
  413: ['Connection'],
  415: ['Accept', 'Accept-Encoding'],
  429: ['Retry-After'],
  431: ['Connection'],
  503: ['Retry-After'],
};
const HEADERS_OF_CODE: Readonly<Partial<Record<ProblemCode, readonly SharedHeader[]>>> = {
  insufficient_scope: ['WWW-Authenticate'],
  // Idempotent-Replayed belongs to the other code with this status, a conflict that can be replayed.
  idempotency_key_in_use: ['Retry-After', 'Idempotent-Replayed'],
  idempotency_key_reused: ['Link'],
};

function errorResponse({ status, codes }: ErrorGroup): Json {
  const isFromParser = PARSER_STATUSES.includes(status);
  const ofCodes = codes.flatMap((code) => HEADERS_OF_CODE[code] ?? []);
  const always: readonly SharedHeader[] = isFromParser ? ['X-Request-Id'] : ERROR_HEADERS;
  const examples = codes.map((code) => [code, componentRef('examples', code)]);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: headerRefs([...always, ...(HEADERS_OF_STATUS[status] ?? []), ...ofCodes]),
    content: {
      'application/json': {
        schema: componentRef('schemas', 'Error'),
        examples: Object.fromEntries(examples),
      },
      ...(isFromParser ? {} : { 'application/problem+json': { schema: componentRef('schemas', 'Problem') } }),
    },
  };
}

function createExample(code: ProblemCode): Json {
  const { status, text, rendering } = catalogue[code];
  if (rendering === 'protocol') return { statusCode: status, code, error: text, message: text };
  return { error: text, code, ...(rendering === 'message' ? { message: text } : {}) };
}

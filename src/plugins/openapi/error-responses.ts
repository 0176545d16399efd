/** Error responses: one shared component for each status. */
import { STATUS_CODES } from '../../lib/node-http.ts';
import { catalogue, type ProblemCode } from '../../problems/problem.ts';
import { headerRefs, type SharedHeader } from './headers.ts';
import { componentRef, type Json } from './json.ts';
import { COMMON_CODES, type DescribedRoute, findProblems } from './route-problems.ts';

const CODES = Object.keys(catalogue) as ProblemCode[];

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

/** References by status to the errors that every operation may have. */
export const commonErrors: Json = toReferences(CODES.filter((code) => COMMON_CODES.has(code)));

/** By name, ordered by status. Each has examples of all codes of its status. */
export const errorComponents: Json = Object.fromEntries(
  groupByStatus(CODES).map(([status, codes]) => [getName(status), errorResponse(status, codes)]),
);

/**
 * Returns references to the errors of a route, without those that every operation may have. A status that the route
 * describes itself is left to it.
 */
export function errorReferences(route: DescribedRoute): Json {
  const possible = new Set(findProblems(route));
  const own = (route.schema.response as object | undefined) ?? {};
  return toReferences(
    CODES.filter((code) => possible.has(code) && !COMMON_CODES.has(code) && !(catalogue[code].status in own)),
  );
}

/** The description of a reference, its codes, overrides that of the component (OpenAPI 3.1, 4.8.23). */
function toReferences(codes: readonly ProblemCode[]): Json {
  const references = groupByStatus(codes).map(([status, listed]) => {
    const description = listed.map((code) => `\`${code}\``).join(', ');
    return [status, { ...componentRef('responses', getName(status)), description }];
  });
  return Object.fromEntries(references);
}

function groupByStatus(codes: readonly ProblemCode[]): [status: number, codes: ProblemCode[]][] {
  return [...Map.groupBy(codes, (code) => catalogue[code].status)].sort(([one], [other]) => one - other);
}

function getName(status: number): string {
  return STATUS_CODES[status]!.replaceAll(/\W/g, '');
}

function errorResponse(status: number, codes: readonly ProblemCode[]): Json {
  const isFromParser = PARSER_STATUSES.includes(status);
  const ofCodes = codes.flatMap((code) => HEADERS_OF_CODE[code] ?? []);
  const headers = [...(HEADERS_OF_STATUS[status] ?? []), ...ofCodes];
  const examples = codes.map((code) => [code, { value: createExample(code) }]);
  return {
    description: STATUS_CODES[status],
    ...(headers.length === 0 ? {} : { headers: headerRefs(headers) }),
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

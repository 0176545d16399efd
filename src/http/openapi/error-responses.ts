/** Error responses: one shared component for each status with the same set of codes. */
import { catalogue, type ProblemCode } from '../../problems.ts';
import { STATUS_CODES } from '../node-http.ts';
import type { Route } from '../route.ts';
import { problemsOf } from '../route-problems.ts';
import { ERROR_HEADERS, headerRefs, type SharedHeader } from './headers.ts';
import { componentRef, type Json } from './json.ts';

interface ErrorGroup {
  readonly status: number;
  /** In the order of the catalogue. */
  readonly codes: readonly ProblemCode[];
  /** Name of the component. */
  readonly name: string;
}

const CODES = Object.keys(catalogue) as ProblemCode[];

/** An example of each code, named by it. */
export const errorExamples: Json = Object.fromEntries(
  CODES.map((code) => [code, { value: exampleOf(code) }]),
);

/** Returns references to the error responses of an operation by status, except where the route describes its own. */
export function errorResponses(route: Route): Json {
  return Object.fromEntries(
    errorGroups(route).map(({ status, name }) => [status, componentRef('responses', name)]),
  );
}

/** Returns the error responses of all operations by name, ordered by status. */
export function errorResponseComponents(routes: readonly Route[]): Json {
  const groups = routes.flatMap(errorGroups).sort((one, other) => one.status - other.status);
  return Object.fromEntries(groups.map((group) => [group.name, errorResponse(group)]));
}

function errorGroups(route: Route): ErrorGroup[] {
  const possible = new Set(problemsOf(route));
  const byStatus = Map.groupBy(
    CODES.filter((code) => possible.has(code)),
    (code) => catalogue[code].status,
  );
  return [...byStatus]
    .filter(([status]) => !(status in route.responses))
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => ({ status, codes, name: componentName(codes) }));
}

/** Codes that are omitted from names when the status has a more specific code. */
const GENERAL: ReadonlySet<ProblemCode> = new Set(['malformed_request', 'invalid_payload', 'not_found']);

/** Returns `UserNotFound`, or `EmailTakenOrVersionConflict` for several codes. */
function componentName(codes: readonly ProblemCode[]): string {
  const specific = codes.filter((code) => !GENERAL.has(code));
  // Of an operation without a body, the query is what is validated: the same name must not stand for two sets of codes.
  const hasBody = codes.includes('invalid_payload');
  const nameOf = (code: ProblemCode) =>
    code === 'validation_failed' && !hasBody ? 'InvalidQuery' : pascalCase(code);
  return (specific.length > 0 ? specific : codes).map(nameOf).join('Or');
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
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

function exampleOf(code: ProblemCode): Json {
  const { status, text, rendering } = catalogue[code];
  if (rendering === 'protocol') return { statusCode: status, code, error: text, message: text };
  return { error: text, code, ...(rendering === 'message' ? { message: text } : {}) };
}

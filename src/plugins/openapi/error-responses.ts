/** Error responses: one shared component for each status. */
import { STATUS_CODES } from '../../lib/node-http.ts';
import { catalogue, type ProblemCode } from '../../problems/problem.ts';
import { componentRef, headerRefs, type Json, type SharedHeader } from './headers.ts';
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

export type ErrorResponses = ReturnType<typeof createErrorResponses>;

/**
 * Returns the error responses of all operations. A component lists the usual codes, a reference with others its own.
 */
export function createErrorResponses(routes: readonly DescribedRoute[]) {
  const codesByRoute = new Map(routes.map((route) => [route, formatCodesByStatus(route)]));
  const common = formatByStatus(CODES.filter((code) => COMMON_CODES.has(code)));
  const usual = findUsualCodes([...codesByRoute.values(), common]);
  const toReference = ([status, codes]: [number, string]) => {
    const reference = componentRef('responses', getName(status));
    return [status, codes === usual.get(status) ? reference : { ...reference, description: codes }];
  };
  return {
    toReferences: (route: DescribedRoute): Json =>
      Object.fromEntries([...codesByRoute.get(route)!].map(toReference)),
    /** References by status to the errors that every operation may have. */
    common: Object.fromEntries([...common].map(toReference)),
    /** By name, ordered by status. Each has examples of all codes of its status. */
    components: Object.fromEntries(
      [...usual].map(([status, codes]) => [getName(status), errorResponse(status, codes)]),
    ),
  };
}

/** Returns the codes of a route by status, without common ones and statuses that the route describes. */
function formatCodesByStatus(route: DescribedRoute): Map<number, string> {
  const possible = new Set(findProblems(route));
  const own = (route.schema.response as object | undefined) ?? {};
  return formatByStatus(
    CODES.filter((code) => possible.has(code) && !COMMON_CODES.has(code) && !(catalogue[code].status in own)),
  );
}

function formatByStatus(codes: readonly ProblemCode[]): Map<number, string> {
  return new Map(
    [...Map.groupBy(codes, (code) => catalogue[code].status)]
      .sort(([one], [other]) => one - other)
      .map(([status, listed]) => [status, listed.map((code) => `\`${code}\``).join(', ')]),
  );
}

/** Returns by status the codes that most operations with this status have. */
function findUsualCodes(operations: readonly Map<number, string>[]): Map<number, string> {
  const byStatus = Map.groupBy(
    operations.flatMap((codes) => [...codes]),
    ([status]) => status,
  );
  const usual = [...byStatus].map(([status, entries]) => {
    const groups = [...Map.groupBy(entries, ([, codes]) => codes)];
    const [codes] = groups.reduce((most, group) => (group[1].length > most[1].length ? group : most));
    return [status, codes] as const;
  });
  return new Map(usual.sort(([one], [other]) => one - other));
}

const getName = (status: number): string => STATUS_CODES[status]!.replaceAll(/\W/g, '');

function errorResponse(status: number, description: string): Json {
  const codes = CODES.filter((code) => catalogue[code].status === status);
  const isFromParser = PARSER_STATUSES.includes(status);
  const ofCodes = codes.flatMap((code) => HEADERS_OF_CODE[code] ?? []);
  const headers = [...(HEADERS_OF_STATUS[status] ?? []), ...ofCodes];
  const examples = codes.map((code) => [code, { value: createExample(code) }]);
  return {
    description,
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

const codeRef = componentRef('schemas', 'ErrorCode');

export const errorSchemas = {
  ErrorCode: {
    type: 'string',
    enum: Object.keys(catalogue),
    description:
      'Decide by this code: its meaning never changes. Each response lists the codes that it can have.',
  },
  Error: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'A text for people. Its wording may change.' },
      code: codeRef,
      message: { type: 'string', description: 'The same text as `error`.' },
      statusCode: { type: 'integer' },
      errors: {
        description:
          'Messages by member of the body, or a list of messages, or of objects that name what each message is about.',
        anyOf: [
          { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          { type: 'array', items: { type: 'string' } },
          {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              properties: {
                message: { type: 'string' },
                pointer: { type: 'string', description: 'JSON pointer into the definition of a form.' },
                field: { type: 'string', description: 'Label of the field of a form.' },
                code: { type: 'string', description: 'Why the answer to the field is rejected.' },
              },
            },
          },
        ],
      },
    },
  },
  Problem: {
    type: 'object',
    description: 'Problem details (RFC 9457), for requests with `Accept: application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'code', 'error'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code: codeRef,
      error: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['detail', 'pointer'],
          properties: {
            detail: { type: 'string' },
            pointer: { type: 'string', description: 'JSON pointer into the request body.' },
          },
        },
      },
    },
  },
};

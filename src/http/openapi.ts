/** The OpenAPI 3.1 description, made from the very tables and schemas that route, validate and serialise. */
import type { TSchema } from 'typebox';
import { catalogue, type ProblemCode } from '../problems.ts';
import type { ResponseDescription, Route } from './route.ts';
import { problemsOf } from './route-problems.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Where the service is; empty: the address that the document came from. */
  readonly publicUrl: string;
  /** Schemas with an `$id`, which the routes refer to. */
  readonly schemas: readonly TSchema[];
}

type Json = Record<string, unknown>;

export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.publicUrl || '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...componentSchemas(info.schemas), ...problemSchemas },
      securitySchemes: {
        userToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token from registration or login.',
        },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The administrator credential of the service.',
        },
      },
    },
  };
}

const SECURITY: Readonly<Record<Route['access'], readonly Json[]>> = {
  public: [],
  optional: [{}, { userToken: [] }, { adminToken: [] }],
  user: [{ userToken: [] }],
  admin: [{ adminToken: [] }],
};

function operation(route: Route): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.retirement === undefined ? {} : { deprecated: true }),
    'x-access': route.access,
    security: SECURITY[route.access],
    ...optional('parameters', parameters(route)),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route) }),
    responses: { ...successes(route), ...refusals(route) },
  };
}

function optional(name: string, list: readonly unknown[]): Json {
  return list.length === 0 ? {} : { [name]: list };
}

function parameters(route: Route): Json[] {
  const inPath = (route.params as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  const groups = [
    ['path', inPath],
    ['query', route.query ?? {}],
    ['header', { ...route.headers, ...(route.idempotent ? IDEMPOTENCY_HEADER : {}) }],
  ] as const;
  return groups.flatMap(([place, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => parameter(place, name, schema, route)),
  );
}

const REPLAY_HEADER = {
  'Idempotent-Replayed': '`true` when this is the stored answer to an earlier request.',
};

const IDEMPOTENCY_HEADER = {
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: 257,
    description:
      'Makes the request safe to retry for 24 hours: the same key and body give the first answer again, with `Idempotent-Replayed: true`.',
  } as TSchema,
};

function parameter(place: string, name: string, schema: TSchema, route: Route): Json {
  const { description, ...rest } = clean(schema) as Json;
  // RFC 6585: without If-Match a change is refused, so a client has to send it.
  const required = place === 'path' || route.requiredHeaders?.includes(name) === true;
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: rest };
}

function requestBody(route: Route): Json {
  const content: Json = { schema: clean(route.body) };
  if (route.bodyExample !== undefined) content.example = route.bodyExample;
  return { required: !route.bodyOptional, content: { 'application/json': content } };
}

function successes(route: Route): Json {
  const entries = Object.entries(route.responses);
  return Object.fromEntries(entries.map(([status, response]) => [status, success(route, response)]));
}

const STANDING_HEADERS = { 'X-Request-Id': 'The id of this request, as the log of the service has it.' };
const LIMIT_HEADERS = {
  'RateLimit-Policy': 'The limits that the request was counted under: q requests in w seconds.',
  RateLimit: 'What is left of them: r requests, the next one more in t seconds.',
  'X-RateLimit-Limit': 'The limit with the least left.',
  'X-RateLimit-Remaining': 'Requests left of it.',
  'X-RateLimit-Reset': 'When all of it is back, in epoch seconds.',
};

function success(route: Route, response: ResponseDescription): Json {
  const mediaType = route.mediaType ?? 'application/json';
  const content = response.schema && {
    [mediaType]: { schema: clean(response.schema), ...examples(response.examples) },
  };
  return {
    description: response.description,
    headers: headerObjects({
      ...STANDING_HEADERS,
      ...(route.limits === 'none' || route.access === 'admin' ? {} : LIMIT_HEADERS),
      ...(route.idempotent ? REPLAY_HEADER : {}),
      ...response.headers,
    }),
    ...(content === undefined ? {} : { content }),
  };
}

function examples(values: Readonly<Record<string, unknown>> | undefined): Json {
  if (values === undefined) return {};
  return { examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) };
}

function headerObjects(headers: Readonly<Record<string, string>>): Json {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** One response per status; its examples are named by the codes that can come with it. */
function refusals(route: Route): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(route)) {
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  const described = sorted.filter(([status]) => !(status in route.responses));
  return Object.fromEntries(described.map(([status, codes]) => [status, refusal(status, codes)]));
}

const CHALLENGE = { 'WWW-Authenticate': 'What credential is asked for (RFC 6750).' };
const RETRY = { 'Retry-After': 'Seconds to wait.' };
const REFUSAL_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: CHALLENGE,
  429: RETRY,
  503: RETRY,
};

function refusal(status: number, codes: readonly ProblemCode[]): Json {
  const bodies = codes.map((code) => [code, { value: exampleOf(code) }]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerObjects({ ...STANDING_HEADERS, ...REFUSAL_HEADERS[status] }),
    content: {
      'application/json': { schema: ref('Error'), examples: Object.fromEntries(bodies) },
      'application/problem+json': { schema: ref('Problem') },
    },
  };
}

function exampleOf(code: ProblemCode): Json {
  const { status, text, rendering } = catalogue[code];
  if (rendering === 'protocol') return { statusCode: status, code, error: text, message: text };
  return { error: text, code, ...(rendering === 'message' ? { message: text } : {}) };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const problemSchemas = {
  Error: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'For people. The text may change.' },
      code: {
        type: 'string',
        enum: Object.keys(catalogue),
        description: 'For programs. Its meaning does not change.',
      },
      message: { type: 'string' },
      statusCode: { type: 'integer' },
      errors: {
        description: 'Messages by member, or one per failing member.',
        anyOf: [
          { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    },
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457, for clients that ask for application/problem+json.',
    required: ['type', 'title', 'status', 'detail', 'code', 'error'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code: { type: 'string', enum: Object.keys(catalogue) },
      error: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['detail', 'pointer'],
          properties: { detail: { type: 'string' }, pointer: { type: 'string' } },
        },
      },
    },
  },
};

function componentSchemas(schemas: readonly TSchema[]): Json {
  return Object.fromEntries(
    schemas.map((schema) => {
      const { $id, ...rest } = clean(schema) as Json;
      return [$id as string, rest];
    }),
  );
}

/** A schema as OpenAPI shows it: references point into the document, our own keywords stay inside. */
function clean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(clean);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-') && name !== '~kind');
  return Object.fromEntries(
    entries.map(([name, value]) =>
      name === '$ref' ? [name, ref(value as string).$ref] : [name, clean(value)],
    ),
  );
}

/** One entry of a route table as an OpenAPI operation. */
import { type TSchema, Type } from '../../lib/schema.ts';
import type { Route } from '../route.ts';
import { clean, type Json } from './json.ts';
import { errorResponses, successes } from './responses.ts';

const SECURITY: Readonly<Record<Route['access'], readonly Json[]>> = {
  public: [],
  optional: [{}, { userToken: [] }, { adminToken: [] }],
  user: [{ userToken: [] }],
  admin: [{ adminToken: [] }],
};

export function operation(route: Route): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.deprecation === undefined ? {} : { deprecated: true }),
    'x-access': route.access,
    security: SECURITY[route.access],
    ...optional('parameters', parameters(route)),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route) }),
    responses: { ...successes(route), ...errorResponses(route) },
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

const IDEMPOTENCY_HEADER = {
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 257,
    description:
      'Makes the request safe to retry for 24 hours: the same key and body give the first answer again, with `Idempotent-Replayed: true`.',
  }),
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

/** A route as an OpenAPI operation. */
import type { Route } from '../../http/route.ts';
import { errorResponses } from './error-responses.ts';
import { type Json, toOpenApiSchema } from './json.ts';
import { parameters } from './parameters.ts';
import { successResponses } from './success-responses.ts';

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
    responses: { ...successResponses(route), ...errorResponses(route) },
  };
}

function optional(name: string, list: readonly unknown[]): Json {
  return list.length === 0 ? {} : { [name]: list };
}

function requestBody(route: Route): Json {
  const content = { schema: toOpenApiSchema(route.body) };
  const example = route.bodyExample === undefined ? {} : { example: route.bodyExample };
  return { required: !route.bodyOptional, content: { 'application/json': { ...content, ...example } } };
}

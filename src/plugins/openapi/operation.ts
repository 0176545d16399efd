/** Completes an operation of the OpenAPI document with the inputs and errors that its route implies. */
import { type AccessRule, getAdminScope, getUserScope } from '../../callers/callers.ts';
import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import type { ErrorResponses } from './error-responses.ts';
import { componentRef, headerRefs, type Json, mapValues } from './headers.ts';
import type { DescribedRoute } from './route-problems.ts';

/** The grammar of `readIdempotencyKey`: 1 to 255 characters, bare or as an RFC 9651 string. */
const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  pattern: String.raw`^(?:"(?:[ !#-\[\]-~]|\\["\\]){1,255}"|[!#-~][!-~]{0,254})$`,
  examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
} as const satisfies JsonSchema;

export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to retry for 24 hours: a request with the same key and body returns the stored response, with `Idempotent-Replayed: true`. 1 to 255 visible ASCII characters, bare or in double quotes (RFC 9651).',
    schema: IDEMPOTENCY_KEY,
  },
};

/** Returns the operation as @fastify/swagger made it, with the parts that operations share. */
export function completeOperation(operation: Json, route: DescribedRoute, errors: ErrorResponses): Json {
  const { operationId, tags, summary, description, security } = operation;
  const { config } = route;
  const body = operation.requestBody as Json | undefined;
  const parameters = completeParameters((operation.parameters ?? []) as Parameter[], config.idempotent);
  return {
    operationId,
    tags,
    summary,
    ...(description === undefined ? {} : { description }),
    'x-access': config.access,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { ...body, required: !route.hasOptionalBody } }),
    responses: {
      ...completeResponses(operation.responses as Json, route),
      ...errors.toReferences(route),
    },
  };
}

interface Parameter {
  readonly in: string;
  readonly schema: Json;
  readonly example?: unknown;
}

const PLACES = ['path', 'query', 'header'];

/** Orders the parameters by their places; their examples belong to their schemas. */
function completeParameters(parameters: readonly Parameter[], isIdempotent = false): unknown[] {
  const own = parameters
    .toSorted((one, other) => PLACES.indexOf(one.in) - PLACES.indexOf(other.in))
    .map(({ example, schema, ...rest }) => ({
      ...rest,
      required: (rest as { required?: boolean }).required ?? false,
      schema: example === undefined ? schema : { ...schema, examples: [example] },
    }));
  return isIdempotent ? [...own, componentRef('parameters', 'IdempotencyKey')] : own;
}

interface SuccessResponse {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

function completeResponses(responses: Json, { config }: DescribedRoute): Json {
  const shared = headerRefs(config.idempotent ? ['Idempotent-Replayed'] : []);
  return mapValues(responses, (described) => {
    const { headers, content, ...response } = described as SuccessResponse;
    const media = content === undefined ? {} : { content: removeDescriptions(content) };
    const all = { ...shared, ...headers };
    const fields = Object.keys(all).length === 0 ? {} : { headers: all };
    return { ...response, ...fields, ...media };
  });
}

/** The description of a response is beside its schema. */
function removeDescriptions(content: NonNullable<SuccessResponse['content']>): Json {
  return mapValues(content, (value) => {
    const { schema, ...media } = value as NonNullable<SuccessResponse['content']>[string];
    const { description: _, headers: __, 'x-alternatives': alternatives, ...rest } = schema;
    return { schema: alternatives === undefined ? rest : { anyOf: alternatives }, ...media };
  });
}

export const securitySchemes = {
  userToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'An access token, as registration and login return it. Operations name the scope that it needs.',
  },
  adminToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'The credential of an administrator: a named one (`fd_svc_…`) or `ADMIN_TOKEN`, which has all scopes. Operations name the scope that it needs; `admin` includes all.',
  },
};

/** Returns the alternatives; OpenAPI 3.1 has the scopes of a bearer credential in the list of its scheme. */
export function describeSecurity(rule: AccessRule): Record<string, string[]>[] {
  const userScope = getUserScope(rule);
  const adminScope = getAdminScope(rule);
  const user = { userToken: userScope === undefined ? [] : [userScope] };
  const admin = { adminToken: adminScope === undefined || adminScope === 'any' ? [] : [adminScope] };
  switch (rule.access) {
    case 'public':
      return [];
    case 'optional':
      return [{}, user, admin];
    case 'user':
      return [user];
    case 'admin':
      return [admin];
  }
}

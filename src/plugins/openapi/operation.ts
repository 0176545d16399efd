/** Completes an operation of the OpenAPI document with the inputs and errors that its route implies. */
import type { DescribedRoute } from './described-route.ts';
import type { ErrorResponses } from './error-responses.ts';
import { headerRefs, successHeaders } from './headers.ts';
import { componentRef, type Json, mapValues } from './json.ts';

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
  const shared = headerRefs(successHeaders(config));
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

/** Parameters of operations. */
import type { JsonSchema } from '../../lib/json-schema.ts';
import type { Route } from '../../http/route.ts';
import { componentRef, type Json, toOpenApiSchema } from './json.ts';

/**
 * The grammar of `readIdempotencyKey` in one pattern: 1 to 255 characters, bare or as an RFC 9651 string, in which
 * each of them may be escaped.
 */
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

/** Returns the parameters of an operation: path, query, header. */
export function parameters(route: Route): Json[] {
  const inPath = (route.params as { properties?: Record<string, JsonSchema> } | undefined)?.properties ?? {};
  const requiredNames = [...(route.requiredQuery ?? []), ...(route.requiredHeaders ?? [])];
  const groups = [
    ['path', inPath],
    ['query', route.query ?? {}],
    ['header', route.headers ?? {}],
  ] as const;
  const own = groups.flatMap(([place, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => {
      const required = place === 'path' || requiredNames.includes(name);
      return parameter({ name, in: place, required }, schema);
    }),
  );
  return route.idempotent ? [...own, { ...componentRef('parameters', 'IdempotencyKey') }] : own;
}

/** Returns the parameter with the description of its schema as its own. */
function parameter(members: Json, schema: JsonSchema): Json {
  const { description, ...rest } = toOpenApiSchema(schema) as Json;
  return { ...members, ...(description === undefined ? {} : { description }), schema: rest };
}

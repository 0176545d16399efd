import type { JsonSchema } from './json-schema.ts';

/** Returns the schema of a successful response whose member `data` has the schema `data`. */
export function dataSchema<const S extends JsonSchema>(data: S) {
  const properties = { message: { type: 'string' }, data } as const;
  return { type: 'object', required: ['message', 'data'], properties } as const satisfies JsonSchema;
}

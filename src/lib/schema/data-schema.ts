import type { JsonSchema } from './json-schema.ts';

/** Returns the schema of a successful response whose member `data` has the schema `data`. */
export function dataSchema<const S extends JsonSchema>(data: S) {
  return recordSchema({ message: { type: 'string' }, data });
}

/** Returns the schema of an object that always has these members. */
export function recordSchema<const P extends Readonly<Record<string, JsonSchema>>>(properties: P) {
  return { type: 'object', required: Object.keys(properties) as (keyof P & string)[], properties } as const;
}

/** Schemas of members of common types. */
import type { JsonSchema } from './json-schema.ts';

export const text = { type: 'string' } as const satisfies JsonSchema;
export const nullableText = { type: ['string', 'null'] } as const satisfies JsonSchema;
export const uuid = { type: 'string', format: 'uuid' } as const satisfies JsonSchema;
export const timestamp = { type: 'string', format: 'date-time' } as const satisfies JsonSchema;
export const nullableTimestamp = {
  type: ['string', 'null'],
  format: 'date-time',
} as const satisfies JsonSchema;

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

/** Text that both engines can store: without U+0000. */
export const STORABLE_PATTERN = String.raw`^[^\x00]*$`;
/** The same, with at least one character that is not white space. Written so that a match takes linear time. */
export const FILLED_PATTERN = String.raw`^\s*[^\s\x00][^\x00]*$`;
/** At least one character that is not white space. */
export const NOT_BLANK_PATTERN = String.raw`\S`;

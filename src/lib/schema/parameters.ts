/** Schemas of query parameters, and the values of those that are times. */
import { parseDate, parseTimestamp } from '../time/parse-time.ts';
import type { JsonSchema } from './json-schema.ts';

/** Returns the schema of a parameter with a date or time. */
export function dateOrTimeParameter(description: string) {
  return {
    type: 'string',
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
    'x-message': 'must be a date (2026-01-31) or an RFC 3339 timestamp (2026-01-31T09:30:00Z)',
    description: `${description} An RFC 3339 timestamp, or a date for its first moment in UTC.`,
    examples: ['2026-01-31'],
  } as const satisfies JsonSchema;
}

/** Returns epoch milliseconds of a validated date or time; null for a parameter that is absent. */
export function toTime(given: string | undefined): number | null {
  return given === undefined ? null : (parseDate(given) ?? parseTimestamp(given));
}

export const limitParameter = {
  type: 'integer',
  minimum: 0,
  default: 20,
  description: 'Records per page: 1 to 100. 0 means 20, more than 100 means 100.',
} as const satisfies JsonSchema;

export const cursorParameter = {
  type: 'string',
  minLength: 1,
  description:
    'Position of the page: `next_cursor` of the previous page, requested with the same filters and order.',
} as const satisfies JsonSchema;

/** Schemas of parameters of queries and paths, and the values of those that are times. */
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

export const exampleId = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';

/** Returns the schema of path parameters that are ids, by their names and descriptions. */
export function idParameters<const Name extends string>(descriptions: Readonly<Record<Name, string>>) {
  const rules = { type: 'string', minLength: 1, maxLength: 255, examples: [exampleId] } as const;
  const names = Object.keys(descriptions) as Name[];
  const properties = Object.fromEntries(
    names.map((name) => [name, { ...rules, description: descriptions[name] }]),
  ) as { readonly [K in Name]: typeof rules & { readonly description: string } };
  return { type: 'object', required: names, properties } as const;
}

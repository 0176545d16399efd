/** Filters of lists: parameters of a query, each of which may be given once. */
import { Problem } from '../../problems/problem.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { parseDateOrTime } from '../time/parse-time.ts';
import type { Query } from './query.ts';

/** Returns the Problem `invalid_filter`. @param text names the parameter */
export function invalidFilter(text: string): Problem {
  return new Problem('invalid_filter', { text });
}

/** Returns null for a parameter that is absent. @throws Problem invalid_filter */
export function readText(query: Query, name: string): string | null {
  const given = query[name];
  if (Array.isArray(given)) throw invalidFilter(`${name} must be given once`);
  return given ?? null;
}

/** Returns null for a parameter that is absent. @throws Problem invalid_filter */
export function readChoice<T extends string>(query: Query, name: string, choices: readonly T[]): T | null {
  const given = query[name];
  if (given === undefined) return null;
  const known = choices.find((choice) => choice === given);
  if (known === undefined) throw invalidFilter(`${name} must be one of ${choices.join(', ')}`);
  return known;
}

/** Returns epoch milliseconds; null for a parameter that is absent. @throws Problem invalid_filter */
export function readDateOrTime(query: Query, name: string): number | null {
  const given = readText(query, name);
  if (given === null) return null;
  const time = parseDateOrTime(given);
  if (time === null)
    throw invalidFilter(
      `${name} must be a date (2026-01-31) or an RFC 3339 timestamp (2026-01-31T09:30:00Z)`,
    );
  return time;
}

/** Returns the schema of a parameter that `readDateOrTime` reads. */
export function dateOrTimeParameter(description: string) {
  return {
    type: 'string',
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
    description: `${description} An RFC 3339 timestamp, or a date for its first moment in UTC.`,
    examples: ['2026-01-31'],
  } as const satisfies JsonSchema;
}

/** Returns the given parameters of these names, which the request for the next page has to repeat. */
export function repeatParameters(query: Query, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (query[name] === undefined ? [] : [[name, String(query[name])]])),
  );
}

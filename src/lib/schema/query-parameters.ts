/**
 * Schemas of parameters of queries and paths. Validates queries with Ajv: each parameter once, integers as numbers.
 * `x-message` follows the name of the parameter in errors.
 */
import type { SchemaObject, ValidateFunction } from 'ajv';
import { Problem, type ProblemCode } from '../../problems/problem.ts';
import { parseDate, parseTimestamp } from '../time.ts';
import { FILLED_PATTERN, type JsonSchema, type SchemaValue } from './json-schema.ts';
import { getAjv } from './validator.ts';

interface Parameter {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-message'?: string;
}

export const searchText = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: FILLED_PATTERN,
  'x-message': 'must have 1 to 255 characters, not only white space or accents',
} as const satisfies JsonSchema;

/** Parameters that have a problem code of their own. */
const CODES: Readonly<Record<string, ProblemCode>> = { limit: 'invalid_limit', cursor: 'invalid_cursor' };

/** Returns the Problem `invalid_filter`. @param text names the parameter */
export const invalidFilter = (text: string): Problem => new Problem('invalid_filter', { text });

/** Creates the validator of a schema. Errors: Problem invalid_limit, invalid_cursor, invalid_filter. */
export function createQueryValidator<const S extends JsonSchema>(schema: S) {
  const { properties } = schema as unknown as { readonly properties: Readonly<Record<string, Parameter>> };
  let compiled: ValidateFunction | undefined;
  return (query: unknown): SchemaValue<S> => {
    compiled ??= getAjv().compile(schema as SchemaObject);
    const values: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(query as object)) {
      if (Object.hasOwn(properties, name)) values[name] = toValue(given, properties[name]!);
    }
    if (compiled(values)) return values as SchemaValue<S>;
    const [{ instancePath, params }] = compiled.errors as [NonNullable<typeof compiled.errors>[number]];
    const name: string = params.missingProperty ?? instancePath.slice(1);
    throw toProblem(name, values[name], properties[name]!);
  };
}

/** More digits than a number has mean the largest one. */
function toValue(given: unknown, { type }: Parameter): unknown {
  if (type !== 'integer' || typeof given !== 'string' || !/^\d+$/.test(given)) return given;
  return Math.min(Number(given), Number.MAX_SAFE_INTEGER);
}

function toProblem(name: string, value: unknown, { enum: choices, ...parameter }: Parameter): Problem {
  const code = CODES[name];
  if (code !== undefined) return new Problem(code);
  if (Array.isArray(value) && choices === undefined) return invalidFilter(`${name} must be given once`);
  return invalidFilter(`${name} ${parameter['x-message'] ?? `must be one of ${choices?.join(', ')}`}`);
}

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

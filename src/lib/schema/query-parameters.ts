/** Validates queries with Ajv: each parameter once, integers as numbers. `x-message` follows its name in errors. */
import type { SchemaObject, ValidateFunction } from 'ajv';
import { Problem, type ProblemCode } from '../../problems/problem.ts';
import type { JsonSchema, SchemaValue } from './json-schema.ts';
import { ajv } from './validator.ts';

interface Parameter {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-message'?: string;
}

/** Parameters that have a problem code of their own. */
const CODES: Readonly<Record<string, ProblemCode>> = { limit: 'invalid_limit', cursor: 'invalid_cursor' };

/** Returns the Problem `invalid_filter`. @param text names the parameter */
export function invalidFilter(text: string): Problem {
  return new Problem('invalid_filter', { text });
}

/** Creates the validator of a schema. Errors: Problem invalid_limit, invalid_cursor, invalid_filter. */
export function createQueryValidator<const S extends JsonSchema>(schema: S) {
  const { properties } = schema as unknown as { readonly properties: Readonly<Record<string, Parameter>> };
  let compiled: ValidateFunction | undefined;
  return (query: unknown): SchemaValue<S> => {
    compiled ??= ajv.compile(schema as SchemaObject);
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

/** The members of a schema and the constraints of their values. */
import { getAlternatives, getChoices, isMap, type Json, toShape } from './schema.ts';

/** A row of a table of members, parameters or headers. */
export interface Row {
  readonly label: string;
  readonly schema: Json;
  readonly required?: boolean;
  /** `path`, `query`, `header` or `cookie`. */
  readonly place?: string;
  readonly deprecated?: boolean;
}

/** Returns the constraints of a value, each as a short phrase. */
export function getLimits(api: Json, schema: Json, depth = 0): string[] {
  const shape = toShape(api, schema);
  const choices = getChoices(shape);
  const inner =
    choices || depth > 3 ? [] : getAlternatives(shape).flatMap((each) => getLimits(api, each, depth + 1));
  const items = shape.items && depth < 3 ? getLimits(api, shape.items, depth + 1) : [];
  return [
    choices && choiceText(choices),
    range(shape.minLength, shape.maxLength, ' character'),
    range(shape.minItems, shape.maxItems, ' item'),
    range(shape.minProperties, shape.maxProperties, ' member'),
    range(shape.minimum, shape.maximum),
    shape.exclusiveMinimum !== undefined && `more than ${shape.exclusiveMinimum}`,
    shape.exclusiveMaximum !== undefined && `less than ${shape.exclusiveMaximum}`,
    shape.pattern && `pattern ${shape.pattern}`,
    shape.uniqueItems && 'unique items',
    Object.hasOwn(shape, 'default') && `default ${JSON.stringify(shape.default)}`,
    shape.readOnly && 'read only',
    shape.writeOnly && 'write only',
    ...inner,
    ...items.map((limit) => `each: ${limit}`),
  ].filter((limit) => typeof limit === 'string');
}

const MAX_LISTED_CHOICES = 12;

function choiceText(choices: readonly Json[]): string {
  if (choices.length > MAX_LISTED_CHOICES) return `one of ${choices.length} values`;
  const list = choices.map((each) => JSON.stringify(each)).join(', ');
  return `${choices.length === 1 ? 'always' : 'one of'} ${list}`;
}

function range(min: number | undefined, max: number | undefined, unit = ''): string | false {
  if (min === undefined && max === undefined) return false;
  const units = unit && (max ?? min) !== 1 ? `${unit}s` : unit;
  if (min === max) return `exactly ${min}${units}`;
  if (max === undefined) return `at least ${min}${units}`;
  return min === undefined ? `at most ${max}${units}` : `${min} to ${max}${units}`;
}

interface Parent {
  /** Path of the schema. */
  readonly prefix: string;
  /** References that lead to it. */
  readonly within: readonly string[];
}

/** Yields every member of a schema, nested ones with their path (`fields[].label`). */
export function* memberRows(
  api: Json,
  schema: Json,
  { prefix, within }: Parent = { prefix: '', within: [] },
): Generator<Row> {
  if (within.includes(schema?.$ref) || within.length > 6) return;
  const nested = (inner: Json, path: string) =>
    memberRows(api, inner, { prefix: path, within: [...within, schema?.$ref ?? ''] });
  const shape = toShape(api, schema);
  if (shape.items) yield* nested(shape.items, `${prefix}[]`);
  if (isMap(shape)) yield* nested(shape.additionalProperties, `${prefix}{name}`);
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    const label = prefix ? `${prefix}.${name}` : name;
    yield { label, schema: member, required: (shape.required ?? []).includes(name) };
    yield* nested(member, label);
  }
  for (const each of getAlternatives(shape)) yield* nested(each, prefix);
}

/** Removes rows that repeat name and schema: alternatives often share members. */
export function uniqueRows(rows: Iterable<Row>): Row[] {
  return [...new Map([...rows].map((row) => [JSON.stringify([row.label, row.schema]), row])).values()];
}

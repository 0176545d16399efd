/** Schemas (JSON Schema 2020-12) as texts: types, constraints, members. They have no references (description.ts). */
import type { Json } from './description.ts';

function getAlternatives({ anyOf, oneOf = [], type }: Json): Json[] {
  return (anyOf ?? oneOf).map((each: Json) => ({ type, ...each }));
}

/** Returns the allowed values; undefined if there are others. */
export function getChoices(schema: Json): Json[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

/** Returns the type in words: `string (email) or null`, `array of Field`. */
export function formatType(schema: Json): string {
  const alternatives = getAlternatives(schema);
  const types =
    alternatives.length > 0
      ? alternatives.map(formatType)
      : [schema.type ?? 'any'].flat().map((type) => formatOneType(schema, type));
  return [...new Set(types)].join(' or ');
}

function formatOneType({ items, title, format, additionalProperties }: Json, type: string): string {
  if (type === 'array' && items) return `array of ${formatType(items)}`;
  if (type === 'object') return title ?? (typeof additionalProperties === 'object' ? 'map' : 'object');
  return type === 'string' && format ? `string (${format})` : type;
}

/** Returns the constraints of a value, each as a short phrase. */
export function getLimits(schema: Json): string[] {
  const choices = getChoices(schema);
  return [
    choices && formatChoices(choices),
    formatRange(schema.minLength, schema.maxLength, ' character'),
    formatRange(schema.minItems, schema.maxItems, ' item'),
    formatRange(schema.minProperties, schema.maxProperties, ' member'),
    formatRange(schema.minimum, schema.maximum),
    schema.pattern && `pattern ${schema.pattern}`,
    schema.uniqueItems && 'unique items',
    'default' in schema && `default ${JSON.stringify(schema.default)}`,
    ...getAlternatives(schema).flatMap(getLimits),
    ...(schema.items ? getLimits(schema.items).map((limit) => `each: ${limit}`) : []),
  ].filter((limit) => typeof limit === 'string');
}

const MAX_LISTED_CHOICES = 12;

function formatChoices(choices: readonly Json[]): string {
  if (choices.length > MAX_LISTED_CHOICES) return `one of ${choices.length} values`;
  const list = choices.map((each) => JSON.stringify(each)).join(', ');
  return `${choices.length === 1 ? 'always' : 'one of'} ${list}`;
}

function formatRange(min: number | undefined, max: number | undefined, unit = ''): string | false {
  if (min === undefined && max === undefined) return false;
  const units = unit && (max ?? min) !== 1 ? `${unit}s` : unit;
  if (min === max) return `exactly ${min}${units}`;
  if (max === undefined) return `at least ${min}${units}`;
  return min === undefined ? `at most ${max}${units}` : `${min} to ${max}${units}`;
}

/** A member, parameter or header. */
export interface Member {
  readonly label: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  /** `path`, `query` or `header`. */
  readonly place?: string;
}

/** Returns every member of a schema, nested ones with their path (`fields[].label`). */
export function listMembers(schema: Json): Member[] {
  // Alternatives often share members.
  const unique = new Map([...findMembers(schema, '')].map((member) => [JSON.stringify(member), member]));
  return [...unique.values()];
}

function* findMembers(schema: Json, path: string): Generator<Member> {
  const { items, properties = {}, required = [], additionalProperties } = schema;
  if (items) yield* findMembers(items, `${path}[]`);
  if (typeof additionalProperties === 'object') yield* findMembers(additionalProperties, `${path}{name}`);
  for (const [name, member] of Object.entries<Json>(properties)) {
    const label = path ? `${path}.${name}` : name;
    yield { label, schema: member, isRequired: required.includes(name) };
    yield* findMembers(member, label);
  }
  for (const each of getAlternatives(schema)) yield* findMembers(each, path);
}

/** Returns the member of a parameter or header object, whose description is beside its schema. */
export function toMember(label: string, { in: place, required = false, description, schema }: Json): Member {
  return { label, place, isRequired: required, schema: description ? { ...schema, description } : schema };
}

/**
 * Breaking differences between two versions of a JSON schema. Clients write requests and read responses, so the
 * direction decides: requests may become wider, responses may say more.
 */
import { type Json, resolved } from './json-reference.ts';

export type Direction = 'request' | 'response';

export interface SchemaChange {
  readonly direction: Direction;
  /** Place of the schema, for messages. */
  readonly where: string;
  /** The documents, for references. */
  readonly before: Json;
  readonly after: Json;
}

const LOWER_BOUNDS = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const EXACT = ['pattern', 'format', 'multipleOf', 'const', 'uniqueItems'];

/** Returns one sentence per breaking difference. */
export function breakingSchema(oldSchema: Json, newSchema: Json, change: SchemaChange): string[] {
  const before = mergeAlternatives(mergeParts(oldSchema, change.before), change.before);
  const after = mergeAlternatives(mergeParts(newSchema, change.after), change.after);
  return [
    ...typeChanges(before, after, change),
    ...enumChanges(before, after, change),
    ...(change.direction === 'request' ? boundChanges(before, after, change.where) : []),
    ...(change.direction === 'response' && before.format !== after.format && before.format !== undefined
      ? [`${change.where}: format ${before.format} became ${after.format}`]
      : []),
    ...memberChanges(before, after, change),
    ...itemChanges(before, after, change),
  ];
}

/** Returns the schema with its reference followed, and with the members of the parts of `allOf`. */
function mergeParts(schema: Json, document: Json): Json {
  const { allOf, ...own } = resolved(document, schema) ?? {};
  if (allOf === undefined) return own;
  const parts: Json[] = [...allOf.map((part: Json) => mergeParts(part, document)), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** Returns one schema for alternatives that are all objects: members that not all of them have are optional. */
function mergeAlternatives(schema: Json, document: Json): Json {
  const choices: Json[] = (schema.anyOf ?? []).map((choice: Json) => mergeParts(choice, document));
  if (choices.length === 0 || choices.some(({ properties }) => properties === undefined)) return schema;
  return {
    type: 'object',
    properties: Object.assign({}, ...choices.map(({ properties }) => properties)),
    required: choices
      .map(({ required = [] }) => required)
      .reduce((one, other) => one.filter((name: string) => other.includes(name))),
  };
}

function getTypes({ type, anyOf, oneOf }: Json, document: Json): string[] | undefined {
  const choices = anyOf ?? oneOf;
  if (type !== undefined) return [type].flat();
  const each = choices?.map((choice: Json) => getTypes(mergeParts(choice, document), document));
  return each === undefined || each.includes(undefined) ? undefined : [...new Set<string>(each.flat())];
}

/** A schema without a type accepts every type, and `number` includes `integer`. */
function typeChanges(before: Json, after: Json, { direction, where, ...documents }: SchemaChange): string[] {
  const [old, now] = [getTypes(before, documents.before), getTypes(after, documents.after)];
  const [wide, narrow] = direction === 'request' ? [now, old] : [old, now];
  if (wide === undefined) return [];
  const fits = (type: string) => wide.includes(type) || (type === 'integer' && wide.includes('number'));
  if (narrow?.every(fits)) return [];
  return [`${where}: type ${old ?? 'any'} became ${now ?? 'any'}`];
}

/** Responses may use new values; requests must keep accepting the old ones. */
function enumChanges(before: Json, after: Json, { direction, where }: SchemaChange): string[] {
  if (direction === 'response' || after.enum === undefined) return [];
  if (before.enum === undefined) return [`${where}: only certain values are accepted now`];
  const gone = before.enum.filter((value: unknown) => !after.enum.includes(value));
  return gone.map(
    (value: unknown) => `${where}: the value ${JSON.stringify(value)} is not accepted any more`,
  );
}

function boundChanges(before: Json, after: Json, where: string): string[] {
  const tighter = [
    ...LOWER_BOUNDS.filter(
      (name) => after[name] !== undefined && after[name] > (before[name] ?? getFloor(name)),
    ),
    ...UPPER_BOUNDS.filter((name) => after[name] !== undefined && after[name] < (before[name] ?? Infinity)),
    ...EXACT.filter(
      (name) => after[name] !== undefined && after[name] !== false && after[name] !== before[name],
    ),
  ];
  return tighter.map((name) => `${where}: ${name} ${before[name] ?? 'none'} became ${after[name]}`);
}

/** Lengths and counts are never below 0, so a lower bound of 0 changes nothing. */
function getFloor(name: string): number {
  return name === 'minimum' || name === 'exclusiveMinimum' ? -Infinity : 0;
}

function memberChanges(before: Json, after: Json, change: SchemaChange): string[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const changes = Object.keys(old)
    .filter((name) => Object.hasOwn(now, name))
    .flatMap((name) => breakingSchema(old[name], now[name], { ...change, where: `${change.where}.${name}` }));
  const members =
    change.direction === 'request'
      ? requestMemberChanges(before, after, change.where)
      : responseMemberChanges(before, after, change.where);
  return [...changes, ...members];
}

const getNames = (members: object | undefined) => Object.keys(members ?? {});
const missing = (names: string[], others: string[]) => names.filter((name) => !others.includes(name));

function requestMemberChanges(before: Json, after: Json, where: string): string[] {
  const isClosed = after.additionalProperties === false;
  const required = missing(after.required ?? [], before.required ?? []);
  const rejected = isClosed ? missing(getNames(before.properties), getNames(after.properties)) : [];
  return [
    ...required.map((name) => `${where}.${name} is required now`),
    ...(isClosed && before.additionalProperties !== false
      ? [`${where}: unknown members are rejected now`]
      : []),
    ...rejected.map((name) => `${where}.${name} is not accepted any more`),
  ];
}

function responseMemberChanges(before: Json, after: Json, where: string): string[] {
  const gone = missing(getNames(before.properties), getNames(after.properties));
  const optional = missing(missing(before.required ?? [], after.required ?? []), gone);
  return [
    ...gone.map((name) => `${where}.${name} is gone`),
    ...optional.map((name) => `${where}.${name} may be missing now`),
  ];
}

function itemChanges(before: Json, after: Json, change: SchemaChange): string[] {
  const where = `${change.where}[]`;
  const ofItems =
    before.items === undefined && (after.items === undefined || change.direction === 'response')
      ? []
      : breakingSchema(before.items, after.items, { ...change, where });
  const values = [before, after].map(({ additionalProperties }) => additionalProperties);
  const areSchemas = values.every((value) => typeof value === 'object');
  return areSchemas ? [...ofItems, ...breakingSchema(values[0], values[1], { ...change, where })] : ofItems;
}

/**
 * What a change of one JSON schema breaks. A client writes requests and reads answers, so the same change can be
 * harmless in one and breaking in the other: requests may be taken more widely, answers may say more.
 */

export type Direction = 'request' | 'response';

export interface SchemaChange {
  readonly direction: Direction;
  /** For messages. */
  readonly where: string;
  /** The documents, for references. */
  readonly before: Json;
  readonly after: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: schemas are walked by hand
export type Json = any;

const LOWER_BOUNDS = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const EXACT = ['pattern', 'format', 'multipleOf', 'const', 'uniqueItems'];

/** Follows a reference inside its document. */
export function resolved(document: Json, node: Json): Json {
  const path = typeof node?.$ref === 'string' ? node.$ref.replace('#/', '').split('/') : undefined;
  return path === undefined
    ? node
    : resolved(
        document,
        path.reduce((at: Json, name: string) => at?.[name], document),
      );
}

/** Gives one sentence per breaking difference. */
export function breakingSchema(oldSchema: Json, newSchema: Json, change: SchemaChange): string[] {
  const before = resolved(change.before, oldSchema) ?? {};
  const after = resolved(change.after, newSchema) ?? {};
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

function typesOf({ type, anyOf, oneOf }: Json, document: Json): string[] | undefined {
  const choices = anyOf ?? oneOf;
  if (type !== undefined) return [type].flat();
  const each = choices?.map((choice: Json) => typesOf(resolved(document, choice), document));
  return each === undefined || each.includes(undefined) ? undefined : [...new Set<string>(each.flat())];
}

/** No type named is every type. An integer is a number too. */
function typeChanges(before: Json, after: Json, { direction, where, ...documents }: SchemaChange): string[] {
  const [old, now] = [typesOf(before, documents.before), typesOf(after, documents.after)];
  const [wide, narrow] = direction === 'request' ? [now, old] : [old, now];
  if (wide === undefined) return [];
  const fits = (type: string) => wide.includes(type) || (type === 'integer' && wide.includes('number'));
  if (narrow?.every(fits)) return [];
  return [`${where}: type ${old ?? 'any'} became ${now ?? 'any'}`];
}

/** Answers may use new values where a list may grow; requests must go on to accept the old ones. */
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
      (name) => after[name] !== undefined && after[name] > (before[name] ?? floorOf(name)),
    ),
    ...UPPER_BOUNDS.filter((name) => after[name] !== undefined && after[name] < (before[name] ?? Infinity)),
    ...EXACT.filter(
      (name) => after[name] !== undefined && after[name] !== false && after[name] !== before[name],
    ),
  ];
  return tighter.map((name) => `${where}: ${name} ${before[name] ?? 'none'} became ${after[name]}`);
}

/** Lengths and counts are never below 0, so a bound of 0 is none. */
function floorOf(name: string): number {
  return name === 'minimum' || name === 'exclusiveMinimum' ? -Infinity : 0;
}

function memberChanges(before: Json, after: Json, change: SchemaChange): string[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const { direction, where } = change;
  const [required, requiredNow] = [before.required ?? [], after.required ?? []];
  const changes = Object.keys(old)
    .filter((name) => Object.hasOwn(now, name))
    .flatMap((name) => breakingSchema(old[name], now[name], { ...change, where: `${where}.${name}` }));
  const missing = (names: string[], others: string[]) => names.filter((name) => !others.includes(name));
  if (direction === 'request') {
    for (const name of missing(requiredNow, required)) changes.push(`${where}.${name} is required now`);
    const isClosed = after.additionalProperties === false;
    if (isClosed && before.additionalProperties !== false)
      changes.push(`${where}: unknown members are refused now`);
    const refused = isClosed ? missing(Object.keys(old), Object.keys(now)) : [];
    return [...changes, ...refused.map((name) => `${where}.${name} is not accepted any more`)];
  }
  const gone = missing(Object.keys(old), Object.keys(now));
  const unsure = missing(required, requiredNow).filter((name) => !gone.includes(name));
  return [
    ...changes,
    ...gone.map((name) => `${where}.${name} is gone`),
    ...unsure.map((name) => `${where}.${name} may be missing now`),
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

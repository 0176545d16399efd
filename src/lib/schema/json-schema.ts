/** JSON Schemas (2020-12) of requests and responses, from which the types of handlers follow, and their common parts. */
import type { ExtendedJSONSchema, FromSchema, JSONSchema } from 'json-schema-to-ts';

/** Keywords beyond JSON Schema draft 7; validator.ts explains those that begin with `x-`. */
type FurtherKeywords = {
  readonly deprecated: boolean;
  readonly 'x-trim': boolean;
  readonly 'x-filled': boolean;
  readonly 'x-notBlank': boolean;
  readonly 'x-ignored': boolean;
  readonly 'x-maxBytes': number;
  readonly 'x-locale': boolean;
  readonly 'x-timeZone': boolean;
  readonly 'x-extends': { readonly base: string; readonly members: object };
  readonly 'x-visible': boolean;
  readonly 'x-oneOf': readonly object[];
  readonly 'x-message': string;
};

/** A schema. `$ref` is the `$id` of one of the schemas that server.ts adds. */
export type JsonSchema = Exclude<ExtendedJSONSchema<FurtherKeywords>, boolean>;

/** The values that an object schema describes: only the members that it names are passed on. */
export type SchemaValue<S> = S extends JSONSchema
  ? Named<FromSchema<S, { keepDefaultedPropertiesOptional: true }>>
  : unknown;

/** Without the index signature of the members that a schema does not name. */
type Named<T> = { readonly [K in keyof T as string extends K ? never : K]: T[K] };

/** Returns the schema of a successful response whose member `data` has the schema `data`. */
export function dataSchema<const S extends JsonSchema>(data: S) {
  return recordSchema({ message: { type: 'string' }, data });
}

/** Returns the schema of an object that always has these members. */
export function recordSchema<const P extends Readonly<Record<string, JsonSchema>>>(properties: P) {
  return { type: 'object', required: Object.keys(properties) as (keyof P & string)[], properties } as const;
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** Returns the schema of an object with no other members than these. */
export function closedSchema<const P extends Properties, const R extends keyof P & string = never>(
  required: readonly R[],
  properties: P,
) {
  const names = required.length === 0 ? {} : { required };
  return {
    type: 'object',
    ...(names as { required: readonly R[] }),
    additionalProperties: false,
    properties,
  } as const;
}

/** An object schema with a name: that of its component in the OpenAPI description. */
type NamedSchema = {
  readonly required: readonly string[];
  readonly properties: Properties;
} & ({ readonly $id: string } | { readonly title: string });

/** Returns the schema with further required members, which may also narrow those of the base. `x-extends` lets the description refer to the base. */
export function extendSchema<const B extends NamedSchema, const P extends Properties>(base: B, further: P) {
  type Name = B['required'][number] | (keyof P & string);
  const names = Object.keys(further);
  return {
    type: 'object',
    required: [...new Set([...base.required, ...names])] as readonly Name[],
    properties: { ...base.properties, ...further } as B['properties'] & P,
    'x-extends': {
      base: '$id' in base ? base.$id : base.title,
      members: { type: 'object', required: names, properties: further },
    },
  } as const;
}

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
/** A name that people read. */
export const visibleName = {
  type: 'string',
  maxLength: 100,
  pattern: FILLED_PATTERN,
  'x-visible': true,
  'x-trim': true,
} as const;
/** At least one character that is not white space. */
export const NOT_BLANK_PATTERN = String.raw`\S`;

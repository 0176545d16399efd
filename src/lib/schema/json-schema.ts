/** Types of the JSON Schemas (2020-12) of requests and responses, from which those of handlers follow. */
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

import type { JsonSchema } from './json-schema.ts';

/** Returns the schema of a successful response whose member `data` has the schema `data`. */
export function dataSchema<const S extends JsonSchema>(data: S) {
  return recordSchema({ message: { type: 'string' }, data });
}

/** Returns the schema of an object that always has these members. */
export function recordSchema<const P extends Readonly<Record<string, JsonSchema>>>(properties: P) {
  return { type: 'object', required: Object.keys(properties) as (keyof P & string)[], properties } as const;
}

type Properties = Readonly<Record<string, JsonSchema>>;

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

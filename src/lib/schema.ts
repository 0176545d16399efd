/**
 * JSON Schema (2020-12) with its TypeScript type: each function gives the plain schema, and `Static` what it
 * describes. As small as it is because a library that does more takes longer to load than all of the service.
 */
declare const STATIC: unique symbol;
const OPTIONAL = Symbol('optional');

/** A schema of values of type `T`. */
export interface TSchema<T = unknown> {
  readonly [keyword: string]: unknown;
  readonly [STATIC]?: T;
}

interface Optional {
  readonly [OPTIONAL]: true;
}

export type Static<S> = S extends TSchema<infer T> ? T : never;

type Properties = Readonly<Record<string, TSchema>>;
type OptionalNames<P> = { [K in keyof P]: P[K] extends Optional ? K : never }[keyof P];
type StaticObject<P> = { readonly [K in Exclude<keyof P, OptionalNames<P>>]: Static<P[K]> } & {
  readonly [K in OptionalNames<P>]?: Static<P[K]>;
};

/** Further keywords; those that begin with `x-` are ours and do not appear in the description. */
type Keywords = Readonly<Record<string, unknown>>;

export const Type = {
  String: (keywords: Keywords = {}): TSchema<string> => ({ type: 'string', ...keywords }),
  Integer: (keywords: Keywords = {}): TSchema<number> => ({ type: 'integer', ...keywords }),
  Boolean: (keywords: Keywords = {}): TSchema<boolean> => ({ type: 'boolean', ...keywords }),
  Unknown: (keywords: Keywords = {}): TSchema<unknown> => ({ ...keywords }),
  /** One of these texts. */
  Enum: <const V extends readonly string[]>(values: V, keywords: Keywords = {}): TSchema<V[number]> => ({
    type: 'string',
    enum: values,
    ...keywords,
  }),
  /** Any schema, with the type that it stands for. */
  Unsafe: <T>(schema: Keywords): TSchema<T> => schema as TSchema<T>,
  /** A schema of the description that has this `$id`. */
  Ref: <T = unknown>(id: string): TSchema<T> => ({ $ref: id }),
  Array: <S extends TSchema>(items: S, keywords: Keywords = {}): TSchema<readonly Static<S>[]> => ({
    type: 'array',
    items,
    ...keywords,
  }),
  Union: <S extends readonly TSchema[]>(...members: S): TSchema<Static<S[number]>> => ({ anyOf: members }),
  /** A member that may be left out. */
  Optional: <S extends TSchema>(schema: S): S & Optional => ({ ...schema, [OPTIONAL]: true }),
  Object: <P extends Properties>(properties: P, keywords: Keywords = {}): TSchema<StaticObject<P>> => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...keywords };
  },
} as const;

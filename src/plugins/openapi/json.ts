/** Building blocks of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

export type ComponentKind = 'schemas' | 'responses' | 'headers' | 'parameters' | 'examples';

export interface Reference {
  readonly $ref: string;
}

/** Returns a reference to one of the document's components. */
export function componentRef(kind: ComponentKind, name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns a schema without the keywords of this service, which begin with `x-`. */
export function withoutOwnKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnKeywords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-') || name === 'x-examples');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'x-examples' ? value : withoutOwnKeywords(value)]),
  );
}

/** Pieces of the document. */
export type Json = Record<string, unknown>;

/** A reference to one of the document's schemas. */
export function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema as OpenAPI shows it: references point into the document, our own keywords stay inside. */
export function clean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(clean);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-'));
  return Object.fromEntries(
    entries.map(([name, value]) =>
      name === '$ref' ? [name, ref(value as string).$ref] : [name, clean(value)],
    ),
  );
}

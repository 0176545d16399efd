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

/** Returns a schema as OpenAPI shows it: references point into the document, the service's `x-` keywords are left out. */
export function toOpenApiSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApiSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-'));
  return Object.fromEntries(
    entries.map(([name, value]) =>
      name === '$ref'
        ? [name, componentRef('schemas', value as string).$ref]
        : [name, toOpenApiSchema(value)],
    ),
  );
}

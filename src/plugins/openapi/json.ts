/** Building blocks of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

export function componentRef(kind: 'schemas' | 'responses' | 'headers' | 'parameters', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Keywords that `describeResponse` and `extendSchema` add. */
const DESCRIPTIVE: ReadonlySet<string> = new Set(['x-alternatives', 'x-examples', 'x-extends', 'x-oneOf']);

/** Returns a schema without the keywords of this service, which begin with `x-`. */
export function withoutOwnKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnKeywords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !name.startsWith('x-') || DESCRIPTIVE.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name === 'x-oneOf' ? 'oneOf' : name,
      name === 'x-examples' ? value : withoutOwnKeywords(value),
    ]),
  );
}

export function mapValues(object: object, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

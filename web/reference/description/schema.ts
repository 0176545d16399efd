/** Resolves the schemas of the description (JSON Schema 2020-12) and names their types. */

/** A value of the description, which may be any OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: the type of each value depends on the document
export type Json = any;

/** Follows `$ref` into the document. Members beside `$ref` take precedence (OpenAPI 3.1, 4.8.23). */
export function resolve(api: Json, value: Json): Json {
  const followed = new Set();
  let current = value ?? {};
  while (typeof current.$ref === 'string' && !followed.has(current.$ref)) {
    followed.add(current.$ref);
    const { $ref, ...beside } = current;
    current = { ...valueAt(api, $ref), ...beside };
  }
  return current;
}

/** Returns the value at a JSON pointer into the document (RFC 6901), or undefined. */
function valueAt(api: Json, pointer: string): Json {
  if (!pointer.startsWith('#/')) return undefined;
  const names = pointer.slice(2).split('/');
  return names.reduce((value, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return Object.hasOwn(value ?? {}, key) ? value[key] : undefined;
  }, api);
}

/**
 * Returns a schema with its references followed and the parts of `allOf` merged.
 * @param within references that are being followed: a cycle ends there
 */
export function toShape(api: Json, schema: Json, within: readonly string[] = []): Json {
  if (within.includes(schema?.$ref)) return {};
  const inside = schema?.$ref ? [...within, schema.$ref] : within;
  const { allOf = [], ...own } = resolve(api, schema);
  const parts = [...allOf.map((part: Json) => toShape(api, part, inside)), own];
  const shape = Object.assign({}, ...parts);
  if (parts.some((part) => part.properties)) {
    shape.properties = Object.assign({}, ...parts.map((part) => part.properties));
    shape.required = parts.flatMap((part) => part.required ?? []);
  }
  return shape;
}

export function getAlternatives(shape: Json): Json[] {
  return shape.anyOf ?? shape.oneOf ?? [];
}

/** Returns the allowed values, if the schema lists them in any of the possible forms. */
export function getChoices(shape: Json): Json[] | undefined {
  const alternatives = getAlternatives(shape);
  if (shape.enum) return shape.enum;
  if (Object.hasOwn(shape, 'const')) return [shape.const];
  if (alternatives.length > 0 && alternatives.every((each) => Object.hasOwn(each, 'const'))) {
    return alternatives.map((each) => each.const);
  }
  return undefined;
}

function componentName(schema: Json): string | undefined {
  return schema?.$ref?.startsWith('#/components/schemas/') ? schema.$ref.split('/').at(-1) : undefined;
}

/** Returns the type in words: `string (email) or null`, `array of Field`. */
export function typeName(api: Json, schema: Json, depth = 0): string {
  const shape = toShape(api, schema);
  const choices = getChoices(shape);
  const alternatives = getAlternatives(shape);
  if (!choices && alternatives.length > 0 && depth < 4) {
    return [...new Set(alternatives.map((each) => typeName(api, each, depth + 1)))].join(' or ');
  }
  const types = shape.type ?? choices?.map(jsonType) ?? (shape.properties ? 'object' : 'any');
  return [...new Set<string>([types].flat())]
    .map((type) => {
      if (type === 'array' && shape.items && depth < 4)
        return `array of ${typeName(api, shape.items, depth + 1)}`;
      return type === 'object' ? objectName(schema, shape) : formattedType(shape, type);
    })
    .join(' or ');
}

function objectName(schema: Json, shape: Json): string {
  return componentName(schema) ?? shape.title ?? (isMap(shape) ? 'map' : 'object');
}

function formattedType(shape: Json, type: string): string {
  return type === 'string' && shape.format ? `string (${shape.format})` : type;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function isMap(shape: Json): boolean {
  return !shape.properties && typeof shape.additionalProperties === 'object';
}

/** Returns a response. A description beside its reference replaces that of the component (OpenAPI 3.1, 4.8.23). */
export function resolveResponse(api: Json, reference: Json): Json {
  const response = resolve(api, reference);
  return reference.description ? { ...response, description: reference.description } : response;
}

/** References inside a JSON document (RFC 6901 pointers in `$ref`). */

// biome-ignore lint/suspicious/noExplicitAny: documents are walked by hand
export type Json = any;

/** Returns the value at a pointer such as `#/components/schemas/User`, or undefined. */
export function valueAt(document: Json, pointer: string): Json {
  if (!pointer.startsWith('#/')) return undefined;
  const names = pointer.slice(2).split('/').map(unescapeToken);
  return names.reduce((node, name) => (Object.hasOwn(node ?? {}, name) ? node[name] : undefined), document);
}

/** Returns what a node refers to, through any number of references; other nodes as they are. */
export function resolved(document: Json, node: Json): Json {
  return typeof node?.$ref === 'string' ? resolved(document, valueAt(document, node.$ref)) : node;
}

/** Returns a pointer to a member of the node at `pointer`. */
export function pointerTo(pointer: string, ...names: string[]): string {
  return [pointer, ...names.map(escapeToken)].join('/');
}

/** Calls `visit` with every object and array of a document and its pointer. */
export function walk(node: Json, visit: (node: Json, pointer: string) => void, pointer = '#'): void {
  if (typeof node !== 'object' || node === null) return;
  visit(node, pointer);
  for (const [name, child] of Object.entries(node)) walk(child, visit, pointerTo(pointer, name));
}

function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

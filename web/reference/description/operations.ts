/** Reads the operations of the description: parameters, access, groups. */
import { type Json, resolve } from './schema.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

export const ACCESS_TEXTS = {
  public: 'Anyone',
  optional: 'Anyone; a credential is checked if sent',
  user: 'A signed-in user',
  admin: 'The administrator',
};
export type Access = keyof typeof ACCESS_TEXTS;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  /** The operation object, with all its parameters resolved. */
  readonly details: Json;
}

/** Returns the name of an operation for people. */
export function getName({ id, details }: Operation): string {
  return details.summary ?? id;
}

export function getOperations(api: Json): Operation[] {
  return Object.entries(api.paths ?? {}).flatMap(([path, reference]) => {
    const item = resolve(api, reference);
    return METHODS.filter((method) => item[method]).map((method) => {
      const details = { ...item[method], parameters: getParameters(api, item, item[method]) };
      const id = details.operationId ?? `${method}-${path}`;
      return { id, method: method.toUpperCase(), path, access: getAccess(api, details), details };
    });
  });
}

/** Merges the parameters of the path with those of the operation, which take precedence (OpenAPI 3.1, 4.8.9.1). */
function getParameters(api: Json, item: Json, operation: Json): Json[] {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => resolve(api, each));
  return [...new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

function getAccess(api: Json, details: Json): Access {
  if (Object.hasOwn(ACCESS_TEXTS, details['x-access'] ?? '')) return details['x-access'];
  const security: Json[] = details.security ?? api.security ?? [];
  if (security.length === 0) return 'public';
  if (security.some((each) => Object.keys(each).length === 0)) return 'optional';
  return security.every((each) => /admin/i.test(Object.keys(each).join())) ? 'admin' : 'user';
}

export interface Group {
  readonly tag: string;
  readonly about: string | undefined;
  readonly operations: readonly Operation[];
}

/** Returns the operations by tag, in the order of the document's own tags. */
export function getGroups(api: Json): Group[] {
  const tags: Json[] = api.tags ?? [];
  const groups = new Map<string, Operation[]>(tags.map(({ name }) => [name, []]));
  for (const operation of getOperations(api)) {
    const tag = operation.details.tags?.[0] ?? 'Other';
    groups.set(tag, [...(groups.get(tag) ?? []), operation]);
  }
  return [...groups]
    .filter(([, operations]) => operations.length > 0)
    .map(([tag, operations]) => ({
      tag,
      about: tags.find(({ name }) => name === tag)?.description,
      operations,
    }));
}

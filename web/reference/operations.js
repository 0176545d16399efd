// @ts-check
/** Reads the operations of the description: parameters, access, groups. */
import { resolve } from './schema.js';

/** @typedef {import('./schema.js').Json} Json */
/** @typedef {{ id: string, method: string, path: string, details: Json }} Operation */

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

export const accessTexts = /** @type {Record<string, string>} */ ({
  public: 'Anyone',
  optional: 'Anyone; a credential is checked if sent',
  user: 'A signed-in user',
  admin: 'The administrator',
});

/** @returns {Operation[]} */
export function operationsOf(/** @type {Json} */ api) {
  return Object.entries(api.paths ?? {}).flatMap(([path, reference]) => {
    const item = resolve(api, reference);
    return methods
      .filter((method) => item[method])
      .map((method) => {
        const details = { ...item[method], parameters: parametersOf(api, item, item[method]) };
        return {
          id: details.operationId ?? `${method}-${path}`,
          method: method.toUpperCase(),
          path,
          details,
        };
      });
  });
}

/** Merges the parameters of the path with those of the operation, which take precedence (OpenAPI 3.1, 4.8.9.1). */
function parametersOf(/** @type {Json} */ api, /** @type {Json} */ item, /** @type {Json} */ operation) {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) => resolve(api, each));
  return [...new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

/** @returns {string} public, optional, user or admin */
export function accessOf(/** @type {Json} */ api, /** @type {Operation} */ { details }) {
  if (Object.hasOwn(accessTexts, details['x-access'] ?? '')) return details['x-access'];
  const security = details.security ?? api.security ?? [];
  if (security.length === 0) return 'public';
  if (security.some((/** @type {Json} */ each) => Object.keys(each).length === 0)) return 'optional';
  return security.every((/** @type {Json} */ each) => /admin/i.test(Object.keys(each).join()))
    ? 'admin'
    : 'user';
}

/** @returns {Map<string, Operation[]>} in the order of the document's own tags */
export function groupsOf(/** @type {Json} */ api, /** @type {Operation[]} */ operations) {
  /** @type {Map<string, Operation[]>} */
  const groups = new Map((api.tags ?? []).map((/** @type {Json} */ tag) => [tag.name, []]));
  for (const operation of operations) {
    const tag = operation.details.tags?.[0] ?? 'Other';
    groups.set(tag, [...(groups.get(tag) ?? []), operation]);
  }
  return new Map([...groups].filter(([, members]) => members.length > 0));
}

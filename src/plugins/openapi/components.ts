/** The `components` of the document: everything that operations share, each part once. */
import { headerComponents } from './headers.ts';
import type { Json } from './json.ts';
import { parameterComponents } from './parameters.ts';

export const securitySchemes = {
  userToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'An access token, as registration and login return it. Operations name the scope that it needs.',
  },
  adminToken: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'The credential of an administrator: a named one (`fd_svc_…`) or `ADMIN_TOKEN`, which has all scopes. Operations name the scope that it needs; `admin` includes all.',
  },
};

/** Components that are made of the operations, by name. */
export interface OwnComponents {
  readonly schemas: Json;
  readonly parameters: Json;
  readonly responses: Json;
  readonly pathItems: Json;
}

/** Returns the security schemes and the components that `parts` refer to, directly or through other components. */
export function createComponents(
  parts: Json,
  { schemas, parameters, responses, pathItems }: OwnComponents,
): Json {
  const available: Readonly<Record<string, Json>> = {
    schemas,
    responses,
    headers: headerComponents,
    parameters: { ...parameters, ...parameterComponents },
    pathItems,
  };
  const used = reachableReferences(parts, available);
  const isUsed = (kind: string, name: string) => used.has(`#/components/${kind}/${name}`);
  const kept = Object.entries(available).map(([kind, members]) => {
    const names = Object.entries(members).filter(([name]) => isUsed(kind, name));
    return [kind, Object.fromEntries(names)] as const;
  });
  return {
    ...Object.fromEntries(kept.filter(([, members]) => Object.keys(members).length > 0)),
    securitySchemes,
  };
}

function reachableReferences(parts: Json, available: Readonly<Record<string, Json>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = referencesIn(parts);
  // The list grows while it is walked.
  for (const reference of pending) {
    if (reached.has(reference)) continue;
    reached.add(reference);
    const [, , kind = '', name = ''] = reference.split('/');
    pending.push(...referencesIn(available[kind]?.[name]));
  }
  return reached;
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = '$ref' in node && typeof node.$ref === 'string' ? [node.$ref] : [];
  return [...own, ...Object.values(node).flatMap(referencesIn)];
}

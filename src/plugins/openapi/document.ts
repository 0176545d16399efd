/** The OpenAPI 3.1 description, generated from the routes and schemas that the service runs on. */
import type { JsonSchema } from '../../lib/json-schema.ts';
import type { Route } from '../../http/route.ts';
import { components } from './components.ts';
import type { Json } from './json.ts';
import { operation } from './operation.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The base URL of the service; empty: the origin that serves the document. */
  readonly publicUrl: string;
  /** Descriptions of tags by name. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Schemas with an `$id`, which the schemas of the routes refer to. */
  readonly schemas: readonly JsonSchema[];
}

/** Returns the OpenAPI document of the routes. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): Json {
  const paths = pathItems(routes);
  const { title, version, description } = info;
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: info.publicUrl || '/' }],
    tags: tags(routes, info.tags),
    paths,
    components: components(paths, routes, info.schemas),
  };
}

function pathItems(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function tags(routes: readonly Route[], descriptions: OpenApiInfo['tags'] = {}): Json[] {
  const names = new Set(routes.map((route) => route.tag));
  return [...names].map((name) => {
    const description = descriptions[name];
    return description === undefined ? { name } : { name, description };
  });
}

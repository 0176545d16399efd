/** The OpenAPI 3.1 description, made from the very tables and schemas that route, validate and serialise. */
import type { TSchema } from '../../lib/schema.ts';
import type { Route } from '../route.ts';
import { clean, type Json } from './json.ts';
import { operation } from './operation.ts';
import { problemSchemas } from './problem-schemas.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Where the service is; empty: the address that the document came from. */
  readonly publicUrl: string;
  /** Schemas with an `$id`, which the routes refer to. */
  readonly schemas: readonly TSchema[];
}

/** The routes as an OpenAPI 3.1 document: the schemas in it are those that check and write. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.publicUrl || '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...componentSchemas(info.schemas), ...problemSchemas },
      securitySchemes: {
        userToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token from registration or login.',
        },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The administrator credential of the service.',
        },
      },
    },
  };
}

function componentSchemas(schemas: readonly TSchema[]): Json {
  return Object.fromEntries(
    schemas.map((schema) => {
      const { $id, ...rest } = clean(schema) as Json;
      return [$id as string, rest];
    }),
  );
}

/** The description of the API, its reference page, the documents, and the API catalog. */
import { JSON_TYPE } from '../../http/response/media-types.ts';
import { type Route, route } from '../../http/route.ts';
import { documentResponse } from './document-response.ts';
import { type Document, makeDocument, readDocument } from './documents.ts';
import { indexRoute } from './index-route.ts';

export interface DocumentDeps {
  /** Called when the description is first requested. */
  readonly openApi: () => object;
  readonly publicUrl: string;
}

const ASSETS = [
  'reference.css',
  'reference.js',
  'bodies.js',
  'curl.js',
  'elements.js',
  'members.js',
  'operations.js',
  'samples.js',
  'schema.js',
  'sections.js',
] as const;
const PAGES = ['problems', 'idempotency', 'lifecycle', 'operations', 'security'] as const;
const CATALOG = '/.well-known/api-catalog';
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export function documentRoutes(deps: DocumentDeps): Route[] {
  let description: Document | null = null;
  const openApi = async () => {
    description ??= makeDocument(JSON.stringify(deps.openApi()), JSON_TYPE);
    return description;
  };
  const catalog = makeDocument(JSON.stringify(apiCatalog(deps.publicUrl)), CATALOG_TYPE);
  return [
    indexRoute(deps.publicUrl),
    documentRoute('/openapi.json', 'getDescription', 'The OpenAPI 3.1 description', openApi),
    documentRoute(CATALOG, 'getCatalog', 'The API catalogue (RFC 9727)', async () => catalog, {
      link: `<${CATALOG}>; rel="api-catalog"`,
    }),
    documentRoute('/docs', 'getReference', 'The reference page', () =>
      readDocument('web/reference/index.html'),
    ),
    ...ASSETS.map((name) =>
      documentRoute(`/docs/assets/${name}`, `getAsset_${name}`, 'A part of the reference page', () =>
        readDocument(`web/reference/${name}`),
      ),
    ),
    ...PAGES.map((name) =>
      documentRoute(`/docs/${name}`, `getPage_${name}`, 'A document', () => readDocument(`docs/${name}.md`)),
    ),
  ];
}

function documentRoute(
  path: `/${string}`,
  operationId: string,
  summary: string,
  read: () => Promise<Document>,
  headers: Readonly<Record<string, string>> = {},
): Route {
  return route({
    method: 'GET',
    path,
    operationId,
    tag: 'Description',
    summary,
    access: 'public',
    limits: 'none',
    mediaType: '*/*',
    responses: { 200: { description: summary }, 304: { description: 'Unchanged.' } },
    handle: async (context) => documentResponse(await read(), context.headers, headers),
  });
}

function apiCatalog(publicUrl: string): object {
  const link = (path: string, type: string) => [{ href: `${publicUrl}${path}`, type }];
  return {
    linkset: [
      {
        anchor: `${publicUrl}/api/v1`,
        'service-desc': link('/openapi.json', 'application/json'),
        'service-doc': link('/docs', 'text/html'),
        'service-meta': link('/docs/lifecycle', 'text/html'),
        status: link('/readyz', 'application/health+json'),
      },
    ],
  };
}

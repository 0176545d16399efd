/** Routes of the index, the OpenAPI description, the documents and the API catalog. */
import { JSON_TYPE } from '../../plugins/problems/media-types.ts';
import { type Route, route } from '../../http/route.ts';
import { basePathOf } from '../web-assets/page-files.ts';
import { documentResponse } from './document-response.ts';
import {
  createDocuments,
  createPicture,
  type Document,
  makeDocument,
  type ReadDocument,
} from './documents.ts';
import { indexRoute } from './index-route.ts';

export interface DocumentDeps {
  /** Returns the OpenAPI document. Called once, when the description is first requested. */
  readonly openApi: () => object;
  readonly publicUrl: string;
  /** CONSOLE: whether there is a console to link to. */
  readonly console: boolean;
}

const PAGES = [
  'accounts',
  'console',
  'problems',
  'idempotency',
  'lifecycle',
  'operations',
  'security',
] as const;
/** Those that docs/console.md shows: `npm run screenshots` writes them. */
const PICTURES = ['overview', 'users', 'conflict', 'reference'] as const;
const CATALOG_PATH = '/.well-known/api-catalog';
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export function documentRoutes(deps: DocumentDeps): Route[] {
  let description: Document | null = null;
  const openApi = async () => {
    description ??= makeDocument(JSON.stringify(deps.openApi()), JSON_TYPE);
    return description;
  };
  const readDocument = createDocuments({
    basePath: basePathOf(deps.publicUrl),
    hasConsole: deps.console,
  });
  const catalog = makeDocument(JSON.stringify(apiCatalog(deps.publicUrl)), CATALOG_TYPE);
  return [
    indexRoute(deps, readDocument),
    documentRoute({
      path: '/openapi.json',
      operationId: 'getDescription',
      summary: 'Get the OpenAPI 3.1 description',
      read: openApi,
    }),
    documentRoute({
      path: CATALOG_PATH,
      operationId: 'getCatalog',
      summary: 'Get the API catalog (RFC 9727)',
      read: async () => catalog,
      headers: { link: `<${CATALOG_PATH}>; rel="api-catalog"` },
    }),
    ...PAGES.map((name) => pageRoute(name, readDocument)),
    ...PICTURES.map(pictureRoute),
  ];
}

function pageRoute(name: string, readDocument: ReadDocument): Route {
  return documentRoute({
    path: `/docs/${name}`,
    operationId: `getPage_${name}`,
    summary: 'Get a document',
    read: () => readDocument(`docs/${name}.md`),
  });
}

function pictureRoute(name: string): Route {
  const file = `${name}-light.png`;
  return documentRoute({
    path: `/docs/images/${file}`,
    operationId: `getPicture_${name}`,
    summary: 'Get a picture of a document',
    read: createPicture(`docs/images/${file}`),
  });
}

interface DocumentRoute extends Pick<Route, 'path' | 'operationId' | 'summary'> {
  readonly read: () => Promise<Document>;
  /** Response headers besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates the route of a file that caches may keep for a while. */
function documentRoute({ path, operationId, summary, read, headers }: DocumentRoute): Route {
  return route({
    method: 'GET',
    path,
    operationId,
    tag: 'Description',
    summary,
    access: 'public',
    limits: ['documents'],
    mediaType: '*/*',
    responses: { 200: { description: 'The file.' }, 304: { description: 'Unchanged.' } },
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

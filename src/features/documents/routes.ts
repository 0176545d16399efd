/** What the service says of itself: the description, its reference page, the documents, the catalogue. */
import { JSON_TYPE } from '../../http/response/media-types.ts';
import { type HandlerContext, type HandlerResponse, type Route, route } from '../../http/route.ts';
import { type Document, makeDocument, readDocument } from './documents.ts';

export interface DocumentDeps {
  /** Called when the description is first asked for. */
  readonly openApi: () => object;
  readonly publicUrl: string;
}

/** The pages need their own style and script, and ask this service for the description: nothing else. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    handle: async (call) => shown(await read(), call, headers),
  });
}

/** Public and cacheable for five minutes, then asked for again by its ETag (RFC 9110 section 13.1.2). */
function shown(
  document: Document,
  { headers }: HandlerContext,
  extra: Readonly<Record<string, string>>,
): HandlerResponse {
  const { content, mediaType, etag } = document;
  const common = { 'cache-control': 'public, max-age=300', etag, ...extra };
  const known = String(headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return { status: 304, headers: common };
  const policy = mediaType.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {};
  return { status: 200, headers: { ...common, ...policy, 'content-type': mediaType }, body: content };
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

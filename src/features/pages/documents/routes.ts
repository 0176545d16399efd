/** Routes of the index, the OpenAPI description, the documents and the API catalog. */
import type { FastifyInstance } from 'fastify';
import { readVersion } from '../../../lib/files.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { JSON_TYPE, prefersHtml } from '../../../plugins/problems/negotiation.ts';
import type { PageDeps } from '../hosted/page.ts';
import { createProblemPages } from '../hosted/page-routes.ts';
import { DOCUMENT_NAMES } from './document-list.ts';
import {
  createDocuments,
  createServedDocument,
  DOCUMENT_ROUTE,
  type DocumentDeps,
  PAGE_POLICY,
  type ServedDocument,
  sendDocument,
} from './documents.ts';

const CATALOG_PATH = '/.well-known/api-catalog';
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const documents: FeaturePlugin<DocumentDeps> = async (app, deps) => {
  const { publicUrl, console } = deps;
  const readDocument = createDocuments(deps);
  const index = createServedDocument(JSON.stringify(apiIndex({ publicUrl, console })), JSON_TYPE);
  // A page for browsers, and an index for other clients.
  app.get('/', DOCUMENT_ROUTE, async ({ headers }, reply) =>
    sendDocument(reply, prefersHtml(headers.accept) ? await readDocument('docs/index.md') : index),
  );
  addDescriptions(app, publicUrl);
  for (const name of DOCUMENT_NAMES) {
    app.get(`/docs/${name}`, DOCUMENT_ROUTE, async (_request, reply) =>
      sendDocument(reply, await readDocument(`docs/${name}.md`)),
    );
  }
};

/** The OpenAPI description, and the catalog that names it (RFC 9727). */
function addDescriptions(app: Pick<FastifyInstance, 'get' | 'describeRoutes'>, publicUrl: string): void {
  const describe = async () => createServedDocument(JSON.stringify(await app.describeRoutes()), JSON_TYPE);
  let description: Promise<ServedDocument> | undefined;
  app.get('/openapi.json', DOCUMENT_ROUTE, async (_request, reply) => {
    // Generated for the first request, when all routes are there.
    description ??= describe();
    return sendDocument(reply, await description);
  });
  const catalog = createServedDocument(JSON.stringify(apiCatalog(publicUrl)), CATALOG_TYPE);
  app.get(CATALOG_PATH, DOCUMENT_ROUTE, async (_request, reply) =>
    sendDocument(reply, catalog, { link: `<${publicUrl}${CATALOG_PATH}>; rel="api-catalog"` }),
  );
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

function apiIndex({ publicUrl, console }: Pick<DocumentDeps, 'publicUrl' | 'console'>): object {
  const links = {
    ...(console ? { console: '/console' } : {}),
    reference: '/docs',
    description: '/openapi.json',
    catalog: '/.well-known/api-catalog',
    problems: '/docs/problems',
    readiness: '/readyz',
    liveness: '/livez',
  };
  const absolute = Object.entries(links).map(([name, path]) => [name, `${publicUrl}${path}`]);
  return { name: 'Frontdesk', version: readVersion(), links: Object.fromEntries(absolute) };
}

/** Creates the renderer of errors. The text for unknown paths is the same for all, and does not repeat them. */
export function createErrorPages(deps: DocumentDeps & PageDeps): RenderProblem {
  const readDocument = createDocuments(deps);
  const renderOther = createProblemPages(deps);
  return async (problem, request) => {
    if (problem.code !== 'not_found') return renderOther(problem, request);
    const { content, mediaType } = await readDocument(new URL('./not-found.md', import.meta.url).href);
    const headers = {
      'content-type': mediaType,
      'content-security-policy': PAGE_POLICY,
      'x-robots-tag': 'noindex',
    };
    return { headers, body: content };
  };
}

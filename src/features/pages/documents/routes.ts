/** Routes of the index, the OpenAPI description, the documents and the API catalog. */
import type { FastifyInstance } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { JSON_TYPE } from '../../../plugins/problems/media-types.ts';
import { getBasePath } from '../assets/page-files.ts';
import { DOCUMENT_NAMES } from './document-list.ts';
import { sendDocument } from './document-response.ts';
import { DOCUMENT_ROUTE } from './document-route.ts';
import { createDocuments, createPicture, type Document, makeDocument } from './documents.ts';
import { indexPage } from './index-route.ts';

export interface DocumentDeps {
  readonly publicUrl: string;
  readonly console: boolean;
}

/** Those that the documents show: `npm run screenshots` writes them. */
const PICTURES = ['overview', 'users', 'events', 'webhook', 'conflict', 'reference'] as const;
const CATALOG_PATH = '/.well-known/api-catalog';
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const documents: FeaturePlugin<DocumentDeps> = async (app, { publicUrl, console }) => {
  const readDocument = createDocuments({ basePath: getBasePath(publicUrl), hasConsole: console });
  await app.register(indexPage, { publicUrl, console, readDocument });
  addDescriptions(app, publicUrl);
  for (const name of DOCUMENT_NAMES) {
    app.get(`/docs/${name}`, DOCUMENT_ROUTE, async (_request, reply) =>
      sendDocument(reply, await readDocument(`docs/${name}.md`)),
    );
  }
  for (const name of PICTURES.flatMap((each) => [`${each}-light`, `${each}-dark`])) {
    const file = `${name}.png`;
    const readPicture = createPicture(`docs/images/${file}`);
    app.get(`/docs/images/${file}`, DOCUMENT_ROUTE, async (_request, reply) =>
      sendDocument(reply, await readPicture()),
    );
  }
};

/** The OpenAPI description, and the catalog that names it (RFC 9727). */
function addDescriptions(app: Pick<FastifyInstance, 'get' | 'swagger'>, publicUrl: string): void {
  let description: Document | null = null;
  app.get('/openapi.json', DOCUMENT_ROUTE, async (_request, reply) => {
    // Generated for the first request, when all routes are there.
    description ??= makeDocument(JSON.stringify(app.swagger()), JSON_TYPE);
    return sendDocument(reply, description);
  });
  const catalog = makeDocument(JSON.stringify(apiCatalog(publicUrl)), CATALOG_TYPE);
  app.get(CATALOG_PATH, DOCUMENT_ROUTE, async (_request, reply) =>
    sendDocument(reply, catalog, { link: `<${CATALOG_PATH}>; rel="api-catalog"` }),
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

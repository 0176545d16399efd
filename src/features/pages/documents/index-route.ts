/** Entry point of the service: an HTML page for browsers, a JSON index for other clients. */

import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { readVersion } from '../../../lib/version.ts';
import { JSON_TYPE } from '../../../plugins/problems/media-types.ts';
import { prefersHtml } from '../../../plugins/problems/negotiation.ts';
import { sendDocument } from './document-response.ts';
import { DOCUMENT_ROUTE } from './document-route.ts';
import { makeDocument, type ReadDocument } from './documents.ts';

export interface IndexDeps {
  readonly publicUrl: string;
  readonly console: boolean;
  readonly readDocument: ReadDocument;
}

export const indexPage: FeaturePlugin<IndexDeps> = async (app, deps) => {
  const index = makeDocument(JSON.stringify(apiIndex(deps)), JSON_TYPE);
  app.get('/', DOCUMENT_ROUTE, async ({ headers }, reply) => {
    const isPage = prefersHtml(headers.accept);
    return sendDocument(reply, isPage ? await deps.readDocument('docs/index.md') : index);
  });
};

function apiIndex({ publicUrl, console }: IndexDeps): object {
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

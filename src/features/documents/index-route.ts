/** Entry point of the service: an HTML page for browsers, a JSON index for other clients. */
import { JSON_TYPE } from '../../plugins/problems/media-types.ts';
import { prefersHtml } from '../../plugins/problems/negotiation.ts';
import { type Route, route } from '../../http/route.ts';
import { API_VERSION } from './describe-api.ts';
import { documentResponse } from './document-response.ts';
import { makeDocument, type ReadDocument } from './documents.ts';

export interface IndexDeps {
  readonly publicUrl: string;
  /** CONSOLE: whether there is a console to link to. */
  readonly console: boolean;
}

export function indexRoute(deps: IndexDeps, readDocument: ReadDocument): Route {
  const index = makeDocument(JSON.stringify(apiIndex(deps)), JSON_TYPE);
  return route({
    method: 'GET',
    path: '/',
    operationId: 'getIndex',
    tag: 'Description',
    summary: 'Get the index of the service',
    description: 'Links to the reference, the documents and the health checks. Browsers get an HTML page.',
    access: 'public',
    limits: ['documents'],
    mediaType: '*/*',
    responses: { 200: { description: 'The index.' }, 304: { description: 'Unchanged.' } },
    handle: async ({ headers }) => {
      const document = prefersHtml(headers.accept) ? await readDocument('docs/index.md') : index;
      return documentResponse(document, headers);
    },
  });
}

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
  return { name: 'Frontdesk', version: API_VERSION, links: Object.fromEntries(absolute) };
}

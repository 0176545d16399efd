/** Routes of the console, the API reference, and the scripts and style sheets of all pages. */
import files from '@fastify/static';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { Problem } from '../../../problems/problem.ts';
import { type Manifest, readManifest, WEB_DIRECTORIES } from '../assets/assets.ts';
import { getBasePath, type PageFrame } from '../assets/page-files.ts';
import { sendDocument } from '../documents/document-response.ts';
import { DOCUMENT_ROUTE } from '../documents/document-route.ts';
import { type Document, makeDocument } from '../documents/documents.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { renderShell, type Shell } from './shell.ts';

export interface WebPageDeps {
  readonly publicUrl: string;
  /** CONSOLE: whether there is a console. */
  readonly console: boolean;
  /** As messages call it; empty: Frontdesk. */
  readonly serviceName: string;
}

/** The views of the console. The script reads which one is shown from the URL. */
const CONSOLE_PATHS = [
  '/console',
  '/console/users',
  '/console/users/:id',
  '/console/events',
  '/console/form-check',
  '/console/settings',
  '/console/webhooks',
  '/console/webhooks/:id',
];

export const webPages: FeaturePlugin<WebPageDeps> = async (app, { publicUrl, console, ...deps }) => {
  const basePath = getBasePath(publicUrl);
  const serviceName = deps.serviceName || 'Frontdesk';
  const page = pageRenderer({ basePath, hasConsole: console });
  const reference = page({
    entry: 'reference',
    style: 'pages',
    serviceName,
    title: 'API reference',
    withoutScripts: `<p>This page needs JavaScript to render <a href="${basePath}/openapi.json">openapi.json</a>, which has the same content.</p>`,
  });
  const consolePage = page({
    entry: 'console',
    style: 'style',
    serviceName,
    title: `${serviceName} console`,
    withoutScripts: '<p>The console needs JavaScript.</p>',
  });
  const addPage = (path: string, read: ReadPage) =>
    app.get(path, DOCUMENT_ROUTE, async (_request, reply) => sendDocument(reply, read(), PAGE_HEADERS));
  addPage('/docs', reference);
  if (console) for (const path of CONSOLE_PATHS) addPage(path, consolePage);
  await app.register(assets);
};

type ReadPage = () => Document;

/** Pages are rendered when they are first requested. */
function pageRenderer(frame: PageFrame) {
  return (shell: Omit<Shell, keyof PageFrame>): ReadPage => {
    let rendered: Document | undefined;
    return () => {
      rendered ??= makeDocument(renderShell({ ...shell, ...frame }, manifest()), 'text/html; charset=utf-8');
      return rendered;
    };
  };
}

const assetParameters = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string' } },
} as const;

/** The scripts and style sheets, whose names change with their content. */
const assets: FeaturePlugin<object> = async (app) => {
  await app.register(files, {
    root: WEB_DIRECTORIES.bundles,
    serve: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  const schema = { hide: true, params: assetParameters } as const;
  app.get('/assets/:file', { ...DOCUMENT_ROUTE, schema }, async ({ params: { file } }, reply) => {
    if (!manifest().files.includes(file)) throw new Problem('not_found');
    return reply.sendFile(file);
  });
};

/** @throws Problem service_unavailable if the pages have not been built */
function manifest(): Manifest {
  try {
    return readManifest();
  } catch (cause) {
    throw new Problem('service_unavailable', { retryAfterSeconds: 60, cause: cause as Error });
  }
}

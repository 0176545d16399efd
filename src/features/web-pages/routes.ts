/** Routes of the console, the API reference, and the scripts and style sheets of all pages. */
import { type HandlerContext, type HandlerResponse, type Route, route } from '../../http/route.ts';
import { Problem } from '../../problems/problem.ts';
import { documentResponse } from '../documents/document-response.ts';
import { type Document, makeDocument } from '../documents/documents.ts';
import { type Manifest, readManifest } from '../web-assets/assets.ts';
import { basePathOf, type PageFrame } from '../web-assets/page-files.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { renderShell, type Shell } from './shell.ts';

export interface WebPageDeps {
  readonly publicUrl: string;
  /** CONSOLE: whether there is a console. */
  readonly console: boolean;
}

/** The views of the console. The script reads which one is shown from the URL. */
const CONSOLE_PATHS = ['/console', '/console/users', '/console/form-check', '/console/settings'] as const;
const USER_PATH = '/console/users/{id}';

export function webPageRoutes({ publicUrl, console }: WebPageDeps): Route[] {
  const basePath = basePathOf(publicUrl);
  const page = pageRenderer({ basePath, hasConsole: console });
  const reference = page({
    entry: 'reference',
    title: 'API reference',
    withoutScripts: `<p>This page needs JavaScript to render <a href="${basePath}/openapi.json">openapi.json</a>, which has the same content.</p>`,
  });
  const consolePage = page({
    entry: 'console',
    title: 'Frontdesk console',
    withoutScripts: '<p>The console needs JavaScript.</p>',
  });
  return [
    route(pageRoute('/docs', 'Get the reference page', reference)),
    ...(console ? consoleRoutes(consolePage) : []),
    assetRoute(),
  ];
}

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

function consoleRoutes(page: ReadPage): Route[] {
  const summary = 'Get the console';
  const params = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
  return [
    ...CONSOLE_PATHS.map((path) => route(pageRoute(path, summary, page))),
    route({ ...pageRoute(USER_PATH, summary, page), params }),
  ];
}

function pageRoute(path: `/${string}`, summary: string, read: ReadPage) {
  return {
    method: 'GET',
    path,
    operationId: `getPage_${path.replace(/\W+/g, '_')}`,
    tag: 'Pages',
    summary,
    access: 'public',
    limits: ['documents'],
    mediaType: 'text/html',
    responses: { 200: { description: 'The page.' }, 304: { description: 'Unchanged.' } },
    handle: async ({ headers }: HandlerContext) => documentResponse(read(), headers, PAGE_HEADERS),
  } as const;
}

function assetRoute(): Route {
  return route({
    method: 'GET',
    path: '/assets/{file}',
    operationId: 'getAsset',
    tag: 'Pages',
    summary: 'Get a script or a style sheet',
    access: 'public',
    limits: ['documents'],
    mediaType: '*/*',
    params: { type: 'object', required: ['file'], properties: { file: { type: 'string' } } },
    responses: { 200: { description: 'The file.' }, 304: { description: 'Unchanged.' } },
    handle: async ({ params }): Promise<HandlerResponse> => {
      if (!manifest().files.includes(params.file)) throw new Problem('not_found');
      return { status: 200, file: params.file };
    },
  });
}

/** @throws Problem service_unavailable if the pages have not been built */
function manifest(): Manifest {
  try {
    return readManifest();
  } catch (cause) {
    throw new Problem('service_unavailable', { retryAfterSeconds: 60, cause: cause as Error });
  }
}

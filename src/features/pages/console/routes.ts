/** Routes of the console, the API reference, and the scripts, style sheets and logo of all pages. */
import files from '@fastify/static';
import { type FeaturePlugin, getBasePath } from '../../../lib/routes/routes.ts';
import { recordSchema, text } from '../../../lib/schema/json-schema.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettings, CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import {
  logoUrl,
  type Manifest,
  type PageFrame,
  PICTURES_DIRECTORY,
  readManifest,
  WEB_DIRECTORIES,
} from '../assets/assets.ts';
import { brandStyle, logo } from '../assets/brand-routes.ts';
import {
  createServedDocument,
  DOCUMENT_ROUTE,
  type DocumentDeps,
  type ServedDocument,
  sendDocument,
} from '../documents/documents.ts';
import { PAGE_HEADERS, renderShell, type Shell } from './shell.ts';

/** The views of the console. The script reads which one is shown from the URL. */
const CONSOLE_PATHS = [
  '/console',
  '/console/users',
  '/console/users/:id',
  '/console/groups',
  '/console/groups/:id',
  '/console/forms',
  '/console/forms/:id',
  '/console/forms/:id/settings',
  '/console/forms/:id/share',
  '/console/forms/:id/submissions',
  '/console/forms/:id/submissions/:submission_id',
  '/console/events',
  '/console/mail',
  '/console/applications',
  '/console/applications/:id',
  '/console/sign-in',
  '/console/credentials',
  '/console/settings',
  '/console/brand',
  '/console/backups',
  '/console/webhooks',
  '/console/webhooks/:id',
];

export const webPages: FeaturePlugin<DocumentDeps> = async (app, { publicUrl, console, settings }) => {
  const basePath = getBasePath(publicUrl);
  const page = pageRenderer({ basePath, hasConsole: console }, settings);
  const reference = page({
    entry: 'reference',
    getTitle: () => 'API reference',
    withoutScripts: `<p>This page needs JavaScript to render <a href="${basePath}/openapi.json">openapi.json</a>, which has the same content.</p>`,
  });
  const consolePage = page({
    entry: 'console',
    getTitle: (instanceName) => `${instanceName} console`,
    withoutScripts: '<p>The console needs JavaScript.</p>',
  });
  const addPage = (path: string, read: ReadPage) =>
    app.get(path, DOCUMENT_ROUTE, async (_request, reply) => sendDocument(reply, read(), PAGE_HEADERS));
  addPage('/docs', reference);
  if (console) for (const path of CONSOLE_PATHS) addPage(path, consolePage);
  // The page of earlier releases.
  if (console)
    app.get('/console/form-check', DOCUMENT_ROUTE, async ({ query }, reply) => {
      const search = new URLSearchParams({ view: 'check', ...(query as Record<string, string>) });
      return reply.redirect(`${basePath}/console/forms?${search}`, 301);
    });
  await app.register(assets);
  await app.register(logo, { settings });
  await app.register(brandStyle);
};

type ReadPage = () => ServedDocument;

interface PageContent extends Pick<Shell, 'entry' | 'withoutScripts'> {
  readonly getTitle: (instanceName: string) => string;
}

/** Pages are rendered when they are first requested, and again after the settings have changed. */
function pageRenderer(frame: PageFrame, settings: CurrentSettingsSource) {
  return ({ getTitle, ...content }: PageContent): ReadPage => {
    let rendered: { readonly document: ServedDocument; readonly current: CurrentSettings } | undefined;
    return () => {
      const { current } = settings;
      if (rendered?.current === current) return rendered.document;
      const { instanceName: serviceName, hostedPages: hasSignIn, brandColor } = current;
      const logo = logoUrl(current, frame.basePath);
      const shell = {
        ...content,
        ...frame,
        serviceName,
        hasSignIn,
        logo,
        brandColor,
        title: getTitle(serviceName),
      };
      const document = createServedDocument(renderShell(shell, manifest()), 'text/html; charset=utf-8');
      rendered = { document, current };
      return document;
    };
  };
}

const assetParameters = recordSchema({ file: text });

/** Pictures in documents, of the light and the dark theme: `npm run screenshots` writes them. */
const PICTURE = /^(?:overview|users|events|webhook|conflict|reference)-(?:light|dark)\.webp$/;

/** The scripts and style sheets, whose names change with their content; and pictures. */
const assets: FeaturePlugin<object> = async (app) => {
  await app.register(files, {
    root: WEB_DIRECTORIES.bundles,
    serve: false,
    preCompressed: true,
    // Nobody resumes such small files, and a range beyond their end would be an error without a code.
    acceptRanges: false,
    immutable: true,
    maxAge: '1y',
  });
  const schema = { hide: true, params: assetParameters } as const;
  // Compressed when they are built, and not counted: a page has many, and is counted itself.
  const config = { access: 'public', limits: 'none' } as const;
  app.get('/assets/:file', { ...DOCUMENT_ROUTE, config, schema }, async ({ params: { file } }, reply) => {
    if (!manifest().files.includes(file)) throw new Problem('not_found');
    return reply.sendFile(file);
  });
  app.get(
    '/docs/images/:file',
    { ...DOCUMENT_ROUTE, config, schema },
    async ({ params: { file } }, reply) => {
      if (!PICTURE.test(file)) throw new Problem('not_found');
      return reply.sendFile(file, PICTURES_DIRECTORY, { maxAge: '5m', immutable: false });
    },
  );
  // Its URL is in pages of others, which no page of this service names: it changes with a release.
  app.get('/embed.js', { ...DOCUMENT_ROUTE, config }, async (_request, reply) => {
    const [file] = manifest().entries.embed!.scripts;
    return reply
      .header('cross-origin-resource-policy', 'cross-origin')
      .sendFile(file!, { immutable: false, maxAge: '1h' });
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

/** Texts of pages and messages that administrators change at run time, and the preview of a brand. */
import type { FastifyReply } from 'fastify';
import { ifMatch, versionETag } from '../../lib/routes/preconditions.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { describeContent, describeResponse } from '../../plugins/openapi/describe-response.ts';
import { validationFailed } from '../../problems/validation-failed.ts';
import type { HostedPageDeps } from '../sign-in/pages/hosted-pages.ts';
import type { Messages } from '../texts/language-file.ts';
import { ifMatchHeader } from '../users/records/schemas.ts';
import { listTexts, replaceTexts, requireLanguage, type TextsDeps } from './change-texts.ts';
import { type Preview, renderPreview } from './preview-pages.ts';
import { examples, languageParameter, previewSchema, replaceTextsSchema, textsSchema } from './schemas.ts';

const tags = ['Administration'];
/** A logo takes 86 KiB, all texts of a language about 40. */
const MAX_BODY_BYTES = 262_144;

const listTextsOperation = {
  operationId: 'listTexts',
  tags,
  summary: 'List the texts of a language',
  description:
    'Returns every text of pages and messages in this language: what files contain, and the text that replaces it.',
  params: languageParameter,
  response: {
    200: describeResponse(textsSchema, {
      description: 'The texts.',
      headers: { ETag: 'Version of what is stored in the database: of all settings and texts.' },
      examples: { texts: examples.texts },
    }),
  },
} as const;

const replaceTextsOperation = {
  operationId: 'replaceTexts',
  tags,
  summary: 'Replace the own texts of a language',
  description:
    'Stores these texts over those of files, and deletes the others that were stored: they are the default again. A text is in the format of ICU MessageFormat and can contain the placeholders of the default only. HTML in it is shown as text. The texts take effect on the node that responds at once, on all others within five seconds. All are stored, or none.',
  params: languageParameter,
  headers: { type: 'object', properties: ifMatchHeader, required: ['If-Match'] },
  body: { ...replaceTextsSchema, examples: [examples.ownTexts] },
  response: {
    200: describeResponse(textsSchema, {
      description: 'All texts of the language after the change.',
      headers: { ETag: 'Version after the change.' },
      examples: { texts: examples.texts },
    }),
  },
} as const;

const previewOperation = {
  operationId: 'renderPreview',
  tags,
  summary: 'Preview a page with another brand',
  description:
    'Renders a page for users, or a message, with a name, logo, colour and texts of the language that are not stored. Values that break their rules are ignored.',
  body: { ...previewSchema, examples: [examples.preview] },
  response: {
    200: describeContent(
      'text/html',
      { type: 'string' },
      { description: 'The page.', examples: { page: examples.page } },
    ),
  },
} as const;

/** The page is only to be shown by those who have requested it: opened by itself, it runs and loads nothing. */
const PREVIEW_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};

const ownTexts: FeaturePlugin<TextsDeps> = async (app, deps) => {
  const { settings } = deps;
  const path = '/api/v1/admin/texts/:language';
  const sendTexts = async (reply: FastifyReply, language: string) => {
    const { version } = settings.stored;
    const data = await listTexts(deps, language);
    return reply.header('etag', versionETag(version)).send({ message: 'Texts', data });
  };

  app.get(
    path,
    {
      schema: listTextsOperation,
      config: { access: 'admin', scope: 'settings:read', problems: ['not_found'] },
    },
    async ({ params }, reply) => {
      // Another node may have changed them just now.
      await settings.refresh();
      return sendTexts(reply, params.language);
    },
  );

  app.put(
    path,
    {
      schema: replaceTextsOperation,
      bodyLimit: MAX_BODY_BYTES,
      config: { access: 'admin', scope: 'settings:write', problems: ['not_found'] },
    },
    async ({ params: { language }, body, headers }, reply) => {
      if (body.texts === undefined) throw validationFailed({ texts: ['The texts field is required.'] });
      const own = body.texts as Messages;
      await replaceTexts(deps, { language, own, isExpected: ifMatch(headers) });
      return sendTexts(reply, language);
    },
  );
};

const previews: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  app.post(
    '/api/v1/admin/preview',
    {
      schema: previewOperation,
      bodyLimit: MAX_BODY_BYTES,
      config: { access: 'admin', scope: 'settings:read', problems: ['not_found'] },
    },
    async ({ body, headers }, reply) => {
      const preview = body as Preview;
      requireLanguage(deps.texts, preview.language);
      return reply.headers(PREVIEW_HEADERS).send(await renderPreview(deps, preview, headers.host));
    },
  );
};

export const branding: FeaturePlugin<TextsDeps & HostedPageDeps> = async (app, deps) => {
  app.register(ownTexts, deps);
  app.register(previews, deps);
};

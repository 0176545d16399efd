import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { recordSchema, text } from '../../../lib/schema/json-schema.ts';
import { Problem } from '../../../problems/problem.ts';
import { createPalette, formatProperties } from '../../../settings/brand-color.ts';
import { LOGO_TYPE } from '../../../settings/rules.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { createServedDocument, DOCUMENT_ROUTE, sendDocument } from '../documents/documents.ts';

/** The file comes from a person: opened by itself, it is an image and nothing else. */
const POLICY = { 'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'" };

/** The image of INSTANCE_LOGO. */
export const logo: FeaturePlugin<{ readonly settings: CurrentSettingsSource }> = async (
  app,
  { settings },
) => {
  app.get('/logo', DOCUMENT_ROUTE, async (_request, reply) => {
    const { logo } = settings.current;
    if (logo === null) throw new Problem('not_found');
    const { content, version } = logo;
    return sendDocument(reply, { content, mediaType: LOGO_TYPE, etag: `"${version}"` }, POLICY);
  });
};

/** The style sheet of a colour. Its URL names the colour, so that a preview can use one that is not stored. */
export const brandStyle: FeaturePlugin<object> = async (app) => {
  const schema = { ...DOCUMENT_ROUTE.schema, querystring: recordSchema({ color: text }) };
  app.get('/brand.css', { ...DOCUMENT_ROUTE, schema }, async ({ query }, reply) => {
    const palette = createPalette(`#${query.color}`);
    if (palette === null) throw new Problem('not_found');
    return sendDocument(reply, createServedDocument(formatProperties(palette), 'text/css; charset=utf-8'));
  });
};

import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { Problem } from '../../../problems/problem.ts';
import { LOGO_TYPE } from '../../../settings/logo.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { sendDocument } from '../documents/document-response.ts';
import { DOCUMENT_ROUTE } from '../documents/document-route.ts';

export interface LogoDeps {
  readonly settings: CurrentSettingsSource;
}

/** The file comes from a person: opened by itself, it is an image and nothing else. */
const POLICY = { 'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'" };

/** The image of INSTANCE_LOGO. */
export const logo: FeaturePlugin<LogoDeps> = async (app, { settings }) => {
  app.get('/logo', DOCUMENT_ROUTE, async (_request, reply) => {
    const { logo } = settings.current;
    if (logo === null) throw new Problem('not_found');
    const { content, version } = logo;
    return sendDocument(reply, { content, mediaType: LOGO_TYPE, etag: `"${version}"` }, POLICY);
  });
};

import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { Problem } from '../../../problems/problem.ts';
import { LOGO_TYPE } from '../../../settings/logo.ts';
import type { CurrentSettings, CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { DOCUMENT_ROUTE, sendDocument } from '../documents/documents.ts';

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

/** Returns the URL of the logo below the base path, another one for each logo; null if there is none. */
export function logoUrl({ logo }: Pick<CurrentSettings, 'logo'>, basePath: string): string | null {
  return logo === null ? null : `${basePath}/logo?v=${logo.version}`;
}

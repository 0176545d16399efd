/** The application to which a sign-in leads back. */
import type { Reader } from '../../database/database.ts';
import { findApplication } from './queries.ts';
import { isRegistered, toPolicySource } from './redirect-uris.ts';

/**
 * Returns the name of the application to which a `return_to` such as `/oauth/authorize?client_id=…` leads, and the source
 * of its redirect URI for `form-action`, because browsers apply this directive to redirects of forms as well. Null for
 * other paths, and requests that will be rejected.
 */
export async function findReturnApplication(reader: Reader, returnTo: string) {
  const [path, query] = returnTo.split('?', 2);
  if (path !== '/oauth/authorize') return null;
  const { client_id, redirect_uri = '' } = Object.fromEntries(new URLSearchParams(query));
  const application = await findApplication(reader, client_id);
  if (application === undefined || !isRegistered(application.redirect_uris, redirect_uri, application.kind))
    return null;
  return { name: application.name, formActionSource: toPolicySource(redirect_uri) };
}

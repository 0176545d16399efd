/** The application to which a sign-in leads back. */
import type { Reader } from '../../database/database.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { findApplication } from './queries.ts';
import { isRegistered, toPolicySource } from './redirect-uris.ts';

/**
 * Returns the application of a `return_to`, a path of this service such as `/oauth/authorize?client_id=…`: its name, and
 * the source of its redirect URI for `form-action`, because browsers apply this directive to redirects of forms as well.
 * Null for other paths, and requests that will be rejected.
 */
export async function findReturnApplication(
  reader: Reader,
  returnTo: string | null,
): Promise<{ readonly name: string; readonly formActionSource: string } | null> {
  if (!returnTo?.startsWith('/oauth/authorize?')) return null;
  const query = new URLSearchParams(returnTo.slice(returnTo.indexOf('?')));
  const id = query.get('client_id') ?? '';
  const uri = query.get('redirect_uri') ?? '';
  const application = isId(id) ? await findApplication(reader, id) : undefined;
  if (application === undefined) return null;
  const { name, kind, redirect_uris } = application;
  return isRegistered(JSON.parse(redirect_uris), uri, kind)
    ? { name, formActionSource: toPolicySource(uri) }
    : null;
}

/** Returns the origin, or private-use scheme, that the policy of a sign-in page has to name in `form-action`; or null. */
export async function getFormActionOrigin(reader: Reader, returnTo: string | null): Promise<string | null> {
  return (await findReturnApplication(reader, returnTo))?.formActionSource ?? null;
}

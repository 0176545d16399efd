/** Responses with applications. */
import { versionETag } from '../../lib/routes/preconditions.ts';
import { formatTimes, optionalTimestamp } from '../../lib/time.ts';
import { readScopes } from '../people/tokens/scopes.ts';
import { NOT_CACHED } from '../people/tokens/token-responses.ts';
import type { ApplicationRow } from './queries.ts';

/** Returns the response with an application and its new secret. */
export function newSecretResponse(
  { application, secret }: { readonly application: ApplicationRow; readonly secret: string | null },
  message: string,
  now: number,
) {
  return {
    status: 200,
    headers: { ...NOT_CACHED, etag: versionETag(application.version) },
    body: { message, data: { ...applicationView(application, now), client_secret: secret } },
    createdResources: {},
  };
}

/** Returns an application as the API shows it, without its secret. */
export function applicationView(application: ApplicationRow, now: number) {
  const { redirect_uris, post_logout_redirect_uris, scopes, jwt_audiences } = application;
  const { require_pkce, previous_until } = application;
  const isOverlapping = previous_until !== null && previous_until > now;
  return {
    ...formatTimes(application, ['created_at', 'updated_at', 'rotated_at']),
    redirect_uris: JSON.parse(redirect_uris) as string[],
    post_logout_redirect_uris: JSON.parse(post_logout_redirect_uris) as string[],
    scopes: readScopes(scopes),
    jwt_audiences: JSON.parse(jwt_audiences) as string[],
    require_pkce: require_pkce === 1,
    previous_until: optionalTimestamp(isOverlapping ? previous_until : null),
  };
}

/** Decides what a sign-out does (OpenID Connect RP-Initiated Logout 1.0): a pure function. */
import type { ApplicationRow } from '../../applications/queries.ts';
import { addParameters, isRegistered } from '../../applications/redirect-uris.ts';
import type { IdTokenHint } from '../id-token.ts';
import type { Parameters } from '../parameters.ts';

/** Returns where the browser is led; null if the application, or the URI among its, is unknown. */
export function findTarget(
  application: ApplicationRow | undefined,
  { post_logout_redirect_uri: uri, state }: Parameters,
): string | null {
  if (application === undefined || uri === undefined) return null;
  const isKnown = isRegistered(JSON.parse(application.post_logout_redirect_uris), uri, application.kind);
  return isKnown ? addParameters(uri, { state }) : null;
}

/**
 * Whether the person is asked first: somebody is signed in, for whom no ID token speaks. A page of another site could
 * otherwise sign people out.
 */
export function mustAsk(
  session: { readonly userId: string } | undefined,
  hint: Pick<IdTokenHint, 'sub'> | null,
): boolean {
  return session !== undefined && session.userId !== hint?.sub;
}

/** Completes a sign-in with the response of a provider. */
import { hashToken } from '../../../lib/secrets/tokens.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import type { Issue } from '../../people/sign-in/log-in.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import { signInWithIdentity } from '../linking/sign-in.ts';
import type { ProviderRow } from '../queries.ts';
import { rethrowAsFailure, SignInFailure } from '../sign-in-failure.ts';
import { fetchIdentity } from './fetch-identity.ts';
import { takeRequest } from './queries.ts';
import type { UpstreamDeps } from './upstream-clients.ts';

/**
 * Returns the outcome of the sign-in, and the page that it was begun for. `url` is that of the callback with its query.
 * @throws SignInFailure
 */
export async function completeSignIn(
  deps: AccountDeps & UpstreamDeps,
  completion: {
    readonly provider: ProviderRow;
    readonly url: URL;
    /** The token of the cookie. */
    readonly browserToken: string;
    readonly session: Pick<SignInSession, 'id' | 'userId'> | undefined;
    readonly clientIp: string;
    readonly issue: Issue<string>;
  },
) {
  const { provider, url, browserToken, session, clientIp, issue } = completion;
  const state = url.searchParams.get('state') ?? '';
  const browserHash = hashToken(browserToken);
  const taken = { state_hash: hashToken(state), browser_hash: browserHash, provider_id: provider.id };
  // Used up before the provider is asked, so that a response counts once over all nodes.
  const request = await deps.database.transaction((tx) => takeRequest(tx, { ...taken, now: deps.clock() }));
  if (request === undefined || (request.session_id !== null && request.session_id !== session?.id))
    throw new SignInFailure('request', provider.name);
  const identity = await fetchIdentity(deps, { provider, url, request, state }).catch((error) =>
    rethrowAsFailure(error, provider),
  );
  const linking = request.session_id === null ? null : session!;
  const arrival = { provider, identity, isCodeConfirmed: false, linking, browserHash, clientIp, issue };
  return { outcome: await signInWithIdentity(deps, arrival), returnTo: request.return_to };
}

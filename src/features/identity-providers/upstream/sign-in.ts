/** Begins a sign-in at a provider, and completes it with the response. */
import type { DatabaseDeps } from '../../../database/database.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../lib/time.ts';
import type { AccountDeps } from '../../people/sign-in/account-deps.ts';
import type { Issue } from '../../people/sign-in/log-in.ts';
import type { SignInSession } from '../../people/sign-in/sessions.ts';
import { signInWithIdentity } from '../linking/sign-in.ts';
import type { ProviderRow } from '../provider.ts';
import { rethrowAsFailure, SignInFailure } from '../sign-in-failure.ts';
import { fetchIdentity } from './fetch-identity.ts';
import { insertRequest, takeRequest } from './queries.ts';
import { loadLibrary, type UpstreamDeps } from './upstream-clients.ts';

const LIFETIME_MS = 10 * MINUTE;
/** Sends its response by POST if it contains the email. */
const APPLE = 'https://appleid.apple.com';

/**
 * Stores state, nonce and PKCE verifier, and returns the URL at the provider. `browserToken` is that of the cookie to which
 * the request is bound; `sessionId` that of the user who links an identity. @throws SignInFailure
 */
export async function beginSignIn(
  deps: DatabaseDeps & UpstreamDeps,
  beginning: {
    readonly provider: ProviderRow;
    readonly redirectUri: string;
    readonly browserToken: string;
    readonly returnTo: string | null;
    readonly sessionId: string | null;
  },
): Promise<string> {
  const { provider, browserToken, returnTo, sessionId } = beginning;
  const [state, nonce, verifier] = [newRandomToken(), newRandomToken(), newRandomToken()];
  const library = await loadLibrary();
  const client = await deps.upstreamClients(provider).catch((error) => rethrowAsFailure(error, provider));
  const url = library.buildAuthorizationUrl(client, {
    redirect_uri: beginning.redirectUri,
    scope: provider.scopes,
    state,
    code_challenge_method: 'S256',
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    ...(provider.kind === 'oidc' ? { nonce } : {}),
    ...(provider.issuer === APPLE ? { response_mode: 'form_post' } : {}),
  });
  const row = {
    ...{ state_hash: hashToken(state), browser_hash: hashToken(browserToken), provider_id: provider.id },
    ...{ nonce, verifier, return_to: returnTo, session_id: sessionId },
    expires_at: deps.clock() + LIFETIME_MS,
  };
  await deps.database.transaction((tx) => insertRequest(tx, row));
  return url.href;
}

/**
 * Returns the outcome of the sign-in, and the page that it was begun for. `url` is that of the callback with its query.
 * @throws SignInFailure
 */
export async function completeSignIn(
  deps: AccountDeps & UpstreamDeps,
  completion: {
    readonly provider: ProviderRow;
    readonly url: URL;
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
  const request = await deps.database.transaction((tx) => takeRequest(tx, taken));
  if (request === undefined) throw new SignInFailure('request', provider.name);
  const returnTo = request.return_to;
  try {
    const isForeign = request.session_id !== null && request.session_id !== session?.id;
    if (isForeign || request.expires_at <= deps.clock()) throw new SignInFailure('request', provider.name);
    const identity = await fetchIdentity(deps, { provider, url, request, state }).catch((error) =>
      rethrowAsFailure(error, provider),
    );
    const linking = request.session_id === null ? null : session!;
    const arrival = { provider, identity, isCodeConfirmed: false, linking, browserHash, clientIp, issue };
    return { outcome: await signInWithIdentity(deps, arrival), returnTo };
  } catch (error) {
    throw error instanceof SignInFailure ? Object.assign(error, { returnTo }) : error;
  }
}

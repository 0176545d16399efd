/** Begins a sign-in at a provider. */
import type { DatabaseDeps } from '../../../database/database.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../lib/time.ts';
import type { ProviderRow } from '../queries.ts';
import { rethrowAsFailure } from '../sign-in-failure.ts';
import { insertRequest } from './queries.ts';
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

/** Begins a sign-in at a provider. */

import type { DatabaseDeps } from '../../../database/database.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import type { ProviderRow } from '../queries.ts';
import { insertRequest } from './queries.ts';
import { loadLibrary, type UpstreamClients } from './upstream-clients.ts';
import { NotAccepted, toUpstreamFailure } from './upstream-failure.ts';

const LIFETIME_MS = 10 * MINUTE;
/** Sends its response by POST if it contains the email. */
const APPLE = 'https://appleid.apple.com';

export interface Beginning {
  readonly provider: ProviderRow;
  readonly redirectUri: string;
  /** The cookie to which the request is bound. */
  readonly browserToken: string;
  readonly returnTo: string | null;
  /** The session whose user links an identity; null for a sign-in. */
  readonly sessionId: string | null;
}

/** Stores state, nonce and PKCE verifier, and returns the URL at the provider. @throws UpstreamFailure */
export async function beginSignIn(
  deps: DatabaseDeps & { readonly upstreamClients: UpstreamClients },
  { provider, redirectUri, browserToken, returnTo, sessionId }: Beginning,
): Promise<string> {
  const [state, nonce, verifier] = [newRandomToken(), newRandomToken(), newRandomToken()];
  const url = await buildUrl(deps.upstreamClients, provider, {
    redirect_uri: redirectUri,
    scope: provider.scopes,
    state,
    code_challenge_method: 'S256',
    code_challenge: await calculateChallenge(verifier),
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

async function calculateChallenge(verifier: string): Promise<string> {
  return (await loadLibrary()).calculatePKCECodeChallenge(verifier);
}

async function buildUrl(clients: UpstreamClients, provider: ProviderRow, parameters: Record<string, string>) {
  try {
    const { buildAuthorizationUrl } = await loadLibrary();
    const url = buildAuthorizationUrl(await clients(provider), parameters);
    const isSafe = url.protocol === 'https:' || provider.issuer.startsWith('http:');
    if (!isSafe || !url.protocol.startsWith('http')) throw new NotAccepted('authorization_endpoint');
    return url;
  } catch (error) {
    throw toUpstreamFailure(error, provider);
  }
}

/** Clients of providers: their metadata, read by discovery, and keys. */
import type { Configuration } from 'openid-client';
import { followOnce, type GuardedFetch } from '../../../lib/outbound/guarded-fetch.ts';
import type { SecretSeal } from '../../../lib/secrets/encryption.ts';
import { type Clock, HOUR } from '../../../lib/time.ts';
import type { ProviderRow } from '../provider.ts';
import { NotAccepted } from '../sign-in-failure.ts';

export interface ClientDeps {
  readonly clock: Clock;
  readonly upstreamFetch: GuardedFetch;
  readonly providerSecrets: SecretSeal;
}

export interface UpstreamDeps extends ClientDeps {
  readonly upstreamClients: (provider: ProviderRow) => Promise<Configuration>;
}

/** Difference of clocks in seconds. */
const TOLERANCE_SECONDS = 60;

/** Loads the library for the first sign-in, because loading would delay the start. */
export const loadLibrary = () => import('openid-client');

/** Returns the function that returns the client of a provider, whose metadata is read again every hour. */
export function createUpstreamClients(deps: ClientDeps): UpstreamDeps['upstreamClients'] {
  const clients = new Map<string, { version: number; readAt: number; client: Promise<Configuration> }>();
  return (provider) => {
    const { id, version } = provider;
    const known = clients.get(id);
    const now = deps.clock();
    if (known?.version === version && known.readAt > now - HOUR) return known.client;
    const client = createClient(deps, provider);
    clients.set(id, { version, readAt: now, client });
    // A provider that was not reachable is asked again by the next sign-in.
    client.catch(() => clients.delete(id));
    return client;
  };
}

/** @throws when the metadata cannot be read, or is not that of the issuer */
export async function createClient(deps: ClientDeps, provider: ProviderRow): Promise<Configuration> {
  const library = await loadLibrary();
  const { issuer, client_id, kind } = provider;
  const secret = Buffer.from(deps.providerSecrets.unseal(provider.id, provider.client_secret)).toString();
  const insecure = issuer.startsWith('http:') ? [library.allowInsecureRequests] : [];
  if (kind === 'github') {
    const client = new library.Configuration(getGithubMetadata(issuer), client_id, secret);
    for (const extension of insecure) extension(client);
    client[library.customFetch] = deps.upstreamFetch;
    return client;
  }
  const metadata = { client_secret: secret, [library.clockTolerance]: TOLERANCE_SECONDS };
  const authentication = createAuthentication(library, client_id, secret);
  const client = await library.discovery(new URL(issuer), client_id, metadata, authentication, {
    // Without it, the signature of an ID token that came over TLS is not verified.
    execute: [...insecure, library.enableNonRepudiationChecks],
    [library.customFetch]: followOnce(deps.upstreamFetch),
  });
  client[library.customFetch] = deps.upstreamFetch;
  // The library accepts those of other tenants for some issuers.
  if (client.serverMetadata().issuer !== issuer) throw new NotAccepted('issuer');
  try {
    // With https, or with http for an issuer with http.
    library.buildAuthorizationUrl(client, {});
  } catch {
    throw new NotAccepted('authorization_endpoint');
  }
  return client;
}

/** Characters that RFC 6749 section 2.3.1 encodes in a header, as the library does. */
const ENCODED = /[^A-Za-z0-9]/;

/**
 * Sends the secret as the metadata of the provider says; by default in a header (OpenID Connect Discovery 1.0). In a form
 * if the provider accepts both and the header would differ: some providers compare it without decoding it.
 */
function createAuthentication(library: Awaited<ReturnType<typeof loadLibrary>>, id: string, secret: string) {
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)];
  const authenticate: typeof basic = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const prefersForm = methods.includes('client_secret_post') && ENCODED.test(id + secret);
    const isBasic = methods.includes('client_secret_basic') && !prefersForm;
    return (isBasic ? basic : post)(server, ...rest);
  };
  return authenticate;
}

/** GitHub speaks OAuth only, and has no discovery for it. */
function getGithubMetadata(url: string) {
  const issuer = `${url.replace(/\/$/, '')}/login/oauth`;
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/access_token`,
  };
}

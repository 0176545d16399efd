/** Exchanges the response of a provider for what it says about the person. Its tokens are not kept. */
import type { IDToken } from 'openid-client';
import { STORABLE_PATTERN } from '../../../lib/schema/json-schema.ts';
import { isEmailAddress } from '../../../lib/text/normalize.ts';
import type { ProviderRow } from '../provider.ts';
import { NotAccepted } from '../sign-in-failure.ts';
import { loadLibrary, type UpstreamDeps } from './upstream-clients.ts';

export interface UpstreamIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
}

type Claims = Readonly<Record<string, unknown>>;

const TOLERANCE_SECONDS = 60;
const ENTRA = 'https://login.microsoftonline.com/';
/** Entra dates its ID tokens five minutes back. */
const ENTRA_OFFSET_SECONDS = 300;
const MAX_LENGTH = 255;

/** `url` is that of the callback with its query. @throws errors that `describeFailure` describes */
export async function fetchIdentity(
  deps: UpstreamDeps,
  response: {
    readonly provider: ProviderRow;
    readonly url: URL;
    readonly state: string;
    readonly request: { readonly nonce: string; readonly verifier: string };
  },
): Promise<UpstreamIdentity> {
  const { provider, url, state: expectedState, request } = response;
  const [library, client] = [await loadLibrary(), await deps.upstreamClients(provider)];
  const checks = { expectedState, pkceCodeVerifier: request.verifier };
  if (provider.kind === 'github') {
    const { access_token } = await library.authorizationCodeGrant(client, url, checks);
    return toIdentity(provider, await fetchGithubClaims(deps, provider, access_token));
  }
  const strict = { ...checks, expectedNonce: request.nonce, idTokenExpected: true };
  const tokens = await library.authorizationCodeGrant(client, url, strict);
  const claims = tokens.claims()!;
  checkClaims(claims, provider, deps.clock());
  if (claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined)
    return toIdentity(provider, claims);
  const more = await library.fetchUserInfo(client, tokens.access_token, claims.sub);
  return toIdentity(provider, { ...more, ...claims });
}

/** Checks what the library does not: the age, and `azp` where there is one audience. */
function checkClaims({ iat, azp }: IDToken, { issuer, client_id }: ProviderRow, now: number): void {
  const age = now / 1000 - iat;
  const maxAge = TOLERANCE_SECONDS + (issuer.startsWith(ENTRA) ? ENTRA_OFFSET_SECONDS : 0);
  if (age > maxAge || age < -TOLERANCE_SECONDS) throw new NotAccepted('iat');
  if (azp !== undefined && azp !== client_id) throw new NotAccepted('azp');
}

function toIdentity({ issuer, trust_email }: ProviderRow, claims: Claims): UpstreamIdentity {
  const subject = readText(claims.sub);
  if (subject === null) throw new NotAccepted('sub');
  const address = readText(claims.email);
  const email = address !== null && isEmailAddress(address) ? address : null;
  const isEmailVerified = email !== null && (trust_email === 1 || isVerified(issuer, claims));
  return { issuer, subject, email, isEmailVerified, name: readText(claims.name) };
}

/** Only `true` counts. Entra has the claim `xms_edov` instead, in several types. */
export function isVerified(issuer: string, { email_verified, xms_edov }: Claims): boolean {
  if (email_verified !== undefined) return email_verified === true;
  return issuer.startsWith(ENTRA) && [true, 1, '1', 'true'].some((yes) => yes === xms_edov);
}

/** Returns null for what is no text, or no text that can be stored. */
function readText(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_LENGTH) return null;
  return value.isWellFormed() && new RegExp(STORABLE_PATTERN).test(value) ? value : null;
}

/** Reads the account and its addresses: the verified one that is primary, otherwise the primary one. */
async function fetchGithubClaims(
  { upstreamFetch }: UpstreamDeps,
  { issuer }: ProviderRow,
  accessToken: string,
): Promise<Claims> {
  const base = issuer.replace(/\/$/, '');
  const api = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/vnd.github+json' };
    const response = await upstreamFetch(api + path, { headers });
    if (response.status !== 200) throw new NotAccepted(`${path.slice(1)} (${response.status})`);
    return response.json();
  };
  const { id, name, login } = (await get('/user')) as Claims;
  if (!Number.isSafeInteger(id)) throw new NotAccepted('id');
  const emails = (await get('/user/emails')) as { email: string; primary: boolean; verified: boolean }[];
  if (!Array.isArray(emails)) throw new NotAccepted('emails');
  const primary = emails.find((each) => each.primary === true);
  return { sub: String(id), name: name ?? login, email: primary?.email, email_verified: primary?.verified };
}

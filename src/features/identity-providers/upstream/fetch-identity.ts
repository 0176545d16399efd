/** Exchanges the response of a provider for what it says about the person. Its tokens are not kept. */
import type { Configuration, IDToken } from 'openid-client';
import { STORABLE_PATTERN } from '../../../lib/schema/members.ts';
import { isEmailAddress } from '../../../lib/text/email-address.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { ProviderRow } from '../queries.ts';
import type { UpstreamRequestRow } from './queries.ts';
import { loadLibrary, type UpstreamDeps } from './upstream-clients.ts';
import { NotAccepted } from './upstream-failure.ts';

export interface UpstreamIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
}

/** A response of a provider: the whole URL of the callback. */
export interface UpstreamResponse {
  readonly provider: ProviderRow;
  readonly client: Configuration;
  readonly url: URL;
  readonly state: string;
  readonly request: Pick<UpstreamRequestRow, 'nonce' | 'verifier'>;
}

type Claims = Readonly<Record<string, unknown>>;

const TOLERANCE_SECONDS = 60;
const ENTRA = 'https://login.microsoftonline.com/';
/** Entra dates its ID tokens five minutes back. */
const ENTRA_OFFSET_SECONDS = 300;
const MAX_LENGTH = 255;

/** @throws errors that `describeFailure` describes */
export async function fetchIdentity(
  deps: UpstreamDeps,
  response: UpstreamResponse,
): Promise<UpstreamIdentity> {
  const { provider, client, url, state: expectedState, request } = response;
  const { authorizationCodeGrant } = await loadLibrary();
  const isGithub = provider.kind === 'github';
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState,
    pkceCodeVerifier: request.verifier,
    ...(isGithub ? {} : { expectedNonce: request.nonce, idTokenExpected: true }),
  });
  const claims = isGithub
    ? await fetchGithubClaims(deps, provider, tokens.access_token)
    : await readClaims(deps.clock, {
        ...response,
        accessToken: tokens.access_token,
        idToken: tokens.claims()!,
      });
  return toIdentity(provider, claims);
}

async function readClaims(
  clock: Clock,
  response: UpstreamResponse & { readonly accessToken: string; readonly idToken: IDToken },
): Promise<Claims> {
  const { provider, client, accessToken, idToken } = response;
  const { issuer, client_id } = provider;
  const age = clock() / 1000 - idToken.iat;
  const maxAge = TOLERANCE_SECONDS + (issuer.startsWith(ENTRA) ? ENTRA_OFFSET_SECONDS : 0);
  if (age > maxAge || age < -TOLERANCE_SECONDS) throw new NotAccepted('iat');
  // Where there is one audience, the library does not compare it.
  if (idToken.azp !== undefined && idToken.azp !== client_id) throw new NotAccepted('azp');
  if (idToken.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined) return idToken;
  const { fetchUserInfo } = await loadLibrary();
  return { ...(await fetchUserInfo(client, accessToken, idToken.sub)), ...idToken };
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

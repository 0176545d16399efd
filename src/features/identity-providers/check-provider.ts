/** Checks an identity provider step by step, without a person. */
import type { Configuration, ServerMetadata } from 'openid-client';
import { followOnce, type GuardedFetch } from '../../lib/outbound/guarded-fetch.ts';
import type { CHECK_STATUSES, CHECK_STEPS, ProviderRow } from './provider.ts';
import { describeFailure } from './sign-in-failure.ts';
import { type ClientDeps, createClient, loadLibrary } from './upstream/upstream-clients.ts';

export interface CheckResult {
  readonly step: (typeof CHECK_STEPS)[number];
  readonly status: (typeof CHECK_STATUSES)[number];
  readonly message: string;
}

const result =
  (status: CheckResult['status']) =>
  (step: CheckResult['step'], message: string): CheckResult => ({ step, status, message });
const [ok, warning, failed] = [result('ok'), result('warning'), result('failed')];

/** Returns the results in order. After a failure of the first steps, the others cannot be checked. */
export async function checkProvider(
  deps: ClientDeps,
  provider: ProviderRow,
  redirectUri: string,
): Promise<CheckResult[]> {
  const isOidc = provider.kind === 'oidc';
  const found = isOidc ? await checkMetadata(deps.upstreamFetch, provider) : [];
  if (found.some(({ status }) => status === 'failed')) return found;
  try {
    const client = await createClient(deps, provider);
    const metadata = client.serverMetadata();
    if (isOidc)
      found.push(
        checkAlgorithms(metadata),
        await checkKeys(deps.upstreamFetch, metadata),
        checkClaims(provider, metadata),
      );
    return [...found, await checkClient(client, redirectUri), checkRedirectUri(redirectUri)];
  } catch (error) {
    return [...found, failed('metadata', `The metadata is not accepted: ${describeFailure(error)}.`)];
  }
}

/** Reads the metadata, for which no secret is needed. */
export async function checkMetadata(fetch: GuardedFetch, { issuer }: ProviderRow): Promise<CheckResult[]> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await followOnce(fetch)(url, { headers: { accept: 'application/json' } });
    if (response.status !== 200) return [failed('metadata', `${url} responded with ${response.status}.`)];
    const { issuer: named } = (await response.json()) as { issuer?: unknown };
    const read = ok('metadata', `${url} was read.`);
    if (named === issuer) return [read, ok('issuer', `The issuer is ${issuer}.`)];
    return [read, failed('issuer', `The metadata names ${JSON.stringify(named)}: use its spelling.`)];
  } catch (error) {
    return [failed('metadata', `${url} could not be read: ${describeFailure(error)}.`)];
  }
}

/** Algorithms of signatures that the library verifies with a public key. */
const ASYMMETRIC = /^(?:(?:RS|PS|ES)(?:256|384|512)|Ed25519|EdDSA)$/;

function checkAlgorithms({ id_token_signing_alg_values_supported: names = ['RS256'] }: ServerMetadata) {
  const known = names.filter((name) => ASYMMETRIC.test(name));
  if (known.length > 0) return ok('algorithms', `ID tokens are signed by ${known.join(', ')}.`);
  return failed('algorithms', `ID tokens are signed by ${names.join(', ')}, which are not accepted.`);
}

async function checkKeys(fetch: GuardedFetch, { jwks_uri }: ServerMetadata): Promise<CheckResult> {
  if (jwks_uri === undefined) return failed('keys', 'The metadata has no jwks_uri.');
  try {
    const { keys } = (await (await fetch(jwks_uri)).json()) as { keys?: unknown };
    if (Array.isArray(keys) && keys.length > 0) return ok('keys', `${jwks_uri} has ${keys.length} keys.`);
    return failed('keys', `${jwks_uri} has no keys.`);
  } catch (error) {
    return failed('keys', `${jwks_uri} could not be read: ${describeFailure(error)}.`);
  }
}

function checkClaims({ trust_email }: ProviderRow, { claims_supported: claims }: ServerMetadata) {
  if (trust_email === 1)
    return warning('claims', 'All email addresses count as verified: the provider must verify each of them.');
  if (claims?.includes('email') && claims.includes('email_verified'))
    return ok('claims', 'ID tokens have email and email_verified.');
  return warning(
    'claims',
    'The metadata does not name email_verified: people may have to confirm their email.',
  );
}

/** Presents a code that does not exist: the response tells whether the client was authenticated before. */
async function checkClient(client: Configuration, redirectUri: string): Promise<CheckResult> {
  const { authorizationCodeGrant } = await loadLibrary();
  const url = new URL(`${redirectUri}?code=check-of-frontdesk`);
  const { issuer, authorization_response_iss_parameter_supported: hasIssuer } = client.serverMetadata();
  if (hasIssuer) url.searchParams.set('iss', issuer);
  try {
    await authorizationCodeGrant(client, url, { pkceCodeVerifier: 'check-of-frontdesk'.repeat(3) });
  } catch (error) {
    const reason = describeFailure(error);
    if (REJECTED_CODE.test(reason)) return ok('client', 'The client id and secret are accepted.');
    if (REJECTED_CLIENT.test(reason)) return failed('client', `The client is rejected: ${reason}.`);
    return warning('client', `The client could not be checked: ${reason}.`);
  }
  return warning('client', 'The provider has accepted a code that does not exist.');
}

/** Errors of RFC 6749 section 5.2, and those of GitHub. */
const REJECTED_CODE = /^(?:invalid_grant|bad_verification_code)$/;
const REJECTED_CLIENT = /^(?:invalid_client|unauthorized_client|incorrect_client_credentials)$/;

function checkRedirectUri(redirectUri: string): CheckResult {
  const message = `Register ${redirectUri} as the redirect URI at the provider.`;
  return redirectUri.startsWith('https:')
    ? ok('redirect_uri', message)
    : warning('redirect_uri', `${message} Most providers require https: set PUBLIC_URL.`);
}

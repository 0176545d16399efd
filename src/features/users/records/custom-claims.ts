/** Claims that `app_metadata.claims` adds to ID tokens and userinfo: pure functions. */

type Claims = Readonly<Record<string, unknown>>;

/** Largest size of all claims as JSON text in UTF-8. */
const MAX_BYTES = 2_048;

/** Names with a meaning in tokens and in responses about them, which a claim of an administrator must not change. */
const REGISTERED = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'sid'],
  ...['at_hash', 'c_hash', 's_hash', 'sub_jwk', 'events', 'toe', 'txn', 'cnf', 'act', 'may_act'],
  ...['name', 'email', 'email_verified', 'groups', 'updated_at', 'phone_number_verified'],
  ...[
    'scope',
    'client_id',
    'active',
    'token_type',
    'username',
    '_claim_names',
    '_claim_sources',
    '__proto__',
  ],
]);

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
const isClaim = (value: unknown) =>
  isScalar(value) || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** Returns why `app_metadata.claims` cannot be stored, with the name of the member; null if it can. */
export function findClaimError(claims: unknown): string | null {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    return 'must have an object as claims';
  for (const [name, value] of Object.entries(claims)) {
    if (REGISTERED.has(name)) return `must not have claims.${name}: the name is registered`;
    if (!isClaim(value))
      return `must have a text, a number, true, false or a list of texts as claims.${name}`;
  }
  return Buffer.byteLength(JSON.stringify(claims)) > MAX_BYTES
    ? `must not have claims larger than ${MAX_BYTES} bytes of JSON`
    : null;
}

/** Returns the claims of stored metadata; none of claims that an earlier release has stored for another purpose. */
export function readCustomClaims(appMetadata: string | null): Claims {
  if (appMetadata === null) return {};
  const { claims = {} } = JSON.parse(appMetadata) as { readonly claims?: Claims };
  return findClaimError(claims) === null ? claims : {};
}

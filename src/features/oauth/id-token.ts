/** ID tokens (OpenID Connect Core 1.0 section 2), and the claims about a person (section 5). */
import { hash } from 'node:crypto';
import type { DatabaseDeps, Reader } from '../../database/database.ts';
import type { Clock } from '../../lib/time.ts';
import type { KeyRing } from '../people/tokens/signing-keys/key-ring.ts';
import { ID_TOKEN_LIFETIME_SECONDS } from '../people/tokens/signing-keys/key-times.ts';
import { ALGORITHMS } from '../people/tokens/signing-keys/queries.ts';
import { readCustomClaims } from '../users/records/custom-claims.ts';
import { listGroupsOfUser } from '../users/records/group-queries.ts';
import type { UserRow } from '../users/records/queries.ts';
import type { IssuedGrant } from './issue-grant.ts';

export interface IdTokenDeps {
  readonly clock: Clock;
  readonly keyRing: KeyRing;
}

/** Returns the claims that the scopes permit (section 5.4), and those of `app_metadata.claims`. */
export async function readClaims(reader: Reader, user: UserRow, scopes: readonly string[]) {
  const { id, name, email, email_verified_at, app_metadata } = user;
  const hasEmail = scopes.includes('email') && email !== null;
  return {
    ...readCustomClaims(app_metadata),
    sub: id,
    ...(scopes.includes('profile') && name !== null ? { name } : {}),
    ...(hasEmail ? { email, email_verified: email_verified_at !== null } : {}),
    ...(scopes.includes('groups') ? { groups: await listGroupsOfUser(reader, id) } : {}),
  };
}

export async function signIdToken(
  { database, clock, keyRing }: IdTokenDeps & DatabaseDeps,
  issuer: string,
  { application: { id: aud, id_token_alg: alg }, user, grant, issued }: IssuedGrant,
): Promise<string> {
  const iat = Math.floor(clock() / 1000);
  const claims = {
    ...(await readClaims(database, user, grant.scopes.split(' '))),
    ...{ iss: issuer, aud, iat, exp: iat + ID_TOKEN_LIFETIME_SECONDS },
    auth_time: Math.floor(grant.authenticated_at / 1000),
    ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    // Both algorithms have SHA-256: the left half of the hash (section 3.1.3.6).
    at_hash: hash('sha256', issued.accessToken, 'buffer').subarray(0, 16).toString('base64url'),
    amr: grant.amr.split(' '),
    ...(grant.session_id === null ? {} : { sid: grant.session_id }),
  };
  const { id: kid, key } = await keyRing.getSigner(alg);
  const { SignJWT } = await import('jose');
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key);
}

/** What an `id_token_hint` proves. */
export type IdTokenHint = Readonly<Record<'sub' | 'aud' | 'sid', string>>;

/** Returns the claims of an ID token of this issuer, also of one that has expired; null for everything else. */
export async function readIdTokenHint(
  { keyRing }: IdTokenDeps,
  token: string,
  issuer: string,
): Promise<IdTokenHint | null> {
  const { compactVerify, createLocalJWKSet } = await import('jose');
  const keys = createLocalJWKSet({ keys: await keyRing.listPublicKeys() });
  try {
    const { payload } = await compactVerify(token, keys, { algorithms: [...ALGORITHMS] });
    const { iss, sub, aud, sid } = JSON.parse(Buffer.from(payload).toString());
    // Other tokens that the keys have signed have no `sid`.
    const isHint = iss === issuer && [sub, aud, sid].every((claim) => typeof claim === 'string');
    return isHint ? { sub, aud, sid } : null;
  } catch {
    return null;
  }
}

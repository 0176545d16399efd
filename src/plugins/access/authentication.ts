/** Authentication by bearer credentials (RFC 6750). Each route states which callers it accepts. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Access, AccessRule } from '../../callers/access-rule.ts';
import { type AdminCredentials, credentialCheck } from '../../callers/admin-credentials.ts';
import { ANONYMOUS, type Caller, type UserCaller } from '../../callers/callers.ts';
import { hashToken, isToken } from '../../lib/secrets/tokens.ts';
import { credentialRejected, credentialRequired, insufficientScope } from '../../problems/challenges.ts';
import type { Problem } from '../../problems/problem.ts';

/** Returns the owner of the valid token with this SHA-256 hash; undefined for unknown, expired and revoked tokens. */
export type FindToken = (tokenHash: string) => Promise<UserCaller | undefined>;

/** Compares an Authorization header with the administrator's credentials in constant time. */
export type IsAdmin = (authorization: string) => boolean;

const ADMIN: Caller = { kind: 'admin' };
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** RFC 9110 section 11.1: schemes are case-insensitive. */
const BEARER_SCHEME = /^bearer /i;

/** Creates the check for these credentials; apart from the case of `Bearer`, the whole header value has to be equal. */
export function adminCheck(credentials: AdminCredentials): IsAdmin {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const isAccepted = credentialCheck(credentials, (credential) => digest(`Bearer ${credential}`));
  return (authorization) => {
    const presented = digest(authorization.replace(BEARER_SCHEME, 'Bearer '));
    const mayBeNew = userToken(authorization) === undefined;
    return isAccepted((one) => timingSafeEqual(one, presented), mayBeNew);
  };
}

export interface Authenticators {
  readonly isAdmin: IsAdmin;
  readonly findToken: FindToken;
}

/**
 * Returns the caller if the route accepts it.
 * @throws Problem unauthorized with a challenge, insufficient_scope
 */
export async function authenticate(
  route: AccessRule,
  authorization: string | undefined,
  { isAdmin, findToken }: Authenticators,
): Promise<Caller> {
  const { access, scope } = route;
  if (access === 'public') return ANONYMOUS;
  if (authorization === undefined) {
    if (access === 'optional') return ANONYMOUS;
    throw credentialRequired(getRealm(access));
  }
  if (access !== 'user' && isAdmin(authorization)) return ADMIN;
  if (access === 'admin') throw rejection(access, authorization);
  const token = userToken(authorization);
  const user = token === undefined ? undefined : await findToken(hashToken(token));
  if (user === undefined) throw rejection(access, authorization);
  if (scope !== undefined && !user.scopes.includes(scope)) throw insufficientScope([scope]);
  return user;
}

/** Returns the credential of the header if it has the format of a user's token. */
function userToken(authorization: string): string | undefined {
  const token = BEARER.exec(authorization)?.[1];
  return token !== undefined && isToken(token) ? token : undefined;
}

/**
 * Whether a rejected credential could have been a guess at the administrator's: the route accepts that one, and
 * does not expect a user's token, or the credential is no such token.
 */
export function isAdminAttempt({ access }: Pick<AccessRule, 'access'>, authorization: string): boolean {
  return access === 'admin' || (access === 'optional' && userToken(authorization) === undefined);
}

/** Returns the challenge of a header that is not accepted, with an error code if it has the Bearer scheme. */
function rejection(access: Access, authorization: string): Problem {
  const realm = getRealm(access);
  return /^bearer\b/i.test(authorization) ? credentialRejected(realm) : credentialRequired(realm);
}

/** Returns the realm of the credential that a route expects (RFC 9110 section 11.5). */
export function getRealm(access: Access): 'admin' | 'api' {
  return access === 'admin' ? 'admin' : 'api';
}

/** Authentication by bearer credentials (RFC 6750). Each route states which callers it accepts. */
import { hash, timingSafeEqual } from 'node:crypto';
import { hasAdminScope } from '../../callers/admin-scopes.ts';
import {
  type Access,
  type AccessRule,
  type AdminCaller,
  type AdminCredential,
  type AdminCredentials,
  ANONYMOUS,
  type Caller,
  createCredentialCheck,
  FIRST_OWNER,
  type FindCredential,
  getAdminScope,
  getUserScope,
  type UserCaller,
} from '../../callers/callers.ts';
import { hashToken, isCredential, isToken } from '../../lib/secrets/tokens.ts';
import { credentialRejected, credentialRequired, insufficientScope } from '../../problems/challenges.ts';
import type { Problem } from '../../problems/problem.ts';

/** Returns the owner of the valid token with this SHA-256 hash; undefined for unknown, expired and revoked tokens. */
type FindToken = (tokenHash: string) => Promise<UserCaller | undefined>;

/** Compares an Authorization header with the values of ADMIN_TOKEN in constant time. */
export type IsAdmin = (authorization: string) => boolean;

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** RFC 9110 section 11.1: schemes are case-insensitive. */
const BEARER_SCHEME = /^bearer /i;

/** Creates the check for these credentials; apart from the case of `Bearer`, the whole header value has to be equal. */
export function adminCheck(credentials: AdminCredentials): IsAdmin {
  // Through hex, which costs half of a digest as a buffer.
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'hex'), 'latin1');
  const isAccepted = createCredentialCheck(credentials, (credential) => digest(`Bearer ${credential}`));
  return (authorization) => {
    const presented = digest(authorization.replace(BEARER_SCHEME, 'Bearer '));
    const token = bearerToken(authorization);
    const mayBeNew = token === undefined || !(isToken(token) || isCredential(token));
    return isAccepted((one) => timingSafeEqual(one, presented), mayBeNew);
  };
}

export interface AdminAuthenticators {
  readonly isAdmin: IsAdmin;
  readonly findCredential: FindCredential;
}

export interface Authenticators extends AdminAuthenticators {
  readonly findToken: FindToken;
}

/** Credential by which a request is authenticated. */
export interface Presented {
  /** The header. */
  readonly authorization: string | undefined;
  readonly clientIp: string;
}

/**
 * Returns the caller if the route accepts it.
 * @throws Problem unauthorized with a challenge, insufficient_scope
 */
export async function authenticate(
  route: AccessRule,
  { authorization, clientIp }: Presented,
  authenticators: Authenticators,
): Promise<Caller> {
  const { access } = route;
  if (access === 'public') return ANONYMOUS;
  if (authorization === undefined) {
    if (access === 'optional') return ANONYMOUS;
    throw credentialRequired(getRealm(access));
  }
  if (access !== 'user') {
    const admin = await authenticateAdmin(route, { authorization, clientIp }, authenticators);
    if (admin !== undefined) return admin;
    if (access === 'admin') throw rejection(access, authorization);
  }
  const token = userToken(authorization);
  const user = token === undefined ? undefined : await authenticators.findToken(hashToken(token));
  if (user === undefined) throw rejection(access, authorization);
  const scope = getUserScope(route);
  if (scope !== undefined && !user.scopes.includes(scope)) throw insufficientScope([scope], 'api', user);
  return user;
}

type PresentedHeader = Presented & { readonly authorization: string };

async function authenticateAdmin(
  route: AccessRule,
  presented: PresentedHeader,
  authenticators: AdminAuthenticators,
): Promise<AdminCaller | undefined> {
  const credential = await findAdminCredential(presented, authenticators);
  if (credential === undefined) return undefined;
  checkAdminScope(route, credential);
  return { kind: 'admin', credential };
}

/** Returns the credential of the header. Undefined also from another address, so that thieves learn nothing. */
export async function findAdminCredential(
  { authorization, clientIp }: PresentedHeader,
  { isAdmin, findCredential }: AdminAuthenticators,
): Promise<AdminCredential | undefined> {
  if (isAdmin(authorization)) return FIRST_OWNER;
  const secret = bearerToken(authorization);
  return secret !== undefined && isCredential(secret)
    ? findCredential(hashToken(secret), clientIp)
    : undefined;
}

/** @throws Problem insufficient_scope that names the scope which the credential lacks */
export function checkAdminScope(route: AccessRule, credential: AdminCredential): void {
  const scope = getAdminScope(route);
  // Undefined only if the check of new routes has failed: nothing is permitted then.
  if (scope === undefined || !hasAdminScope(credential.scopes, scope))
    throw insufficientScope([scope ?? 'admin'], getRealm(route.access), { kind: 'admin', credential });
}

const bearerToken = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1];

/** Returns the credential of the header if it has the format of a user's token. */
function userToken(authorization: string): string | undefined {
  const token = bearerToken(authorization);
  return token !== undefined && isToken(token) ? token : undefined;
}

/** Whether a rejected credential could have been a guess at that of an administrator. */
export function isAdminAttempt({ access }: Pick<AccessRule, 'access'>, authorization: string): boolean {
  return access === 'admin' || (access === 'optional' && userToken(authorization) === undefined);
}

/** Returns the challenge of a header that is not accepted, with an error code if it has the Bearer scheme. */
function rejection(access: Access, authorization: string): Problem {
  const realm = getRealm(access);
  return /^bearer\b/i.test(authorization) ? credentialRejected(realm) : credentialRequired(realm);
}

/** Returns the realm of the credential that a route expects (RFC 9110 section 11.5). */
export const getRealm = (access: Access): 'admin' | 'api' => (access === 'admin' ? 'admin' : 'api');

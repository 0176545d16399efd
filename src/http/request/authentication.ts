/** Who calls (RFC 6750). Closed by default: what a route lets in stands in its entry of the route table. */
import { hash, timingSafeEqual } from 'node:crypto';
import { hashToken, isToken } from '../../lib/tokens.ts';
import { Problem } from '../../problems.ts';
import { ANONYMOUS, type Caller, type Route, type UserCaller } from '../route.ts';

/** Gives the live token with this SHA-256 hash, or undefined for unknown, expired and revoked alike. */
export type FindToken = (tokenHash: string) => Promise<UserCaller | undefined>;

/** Tells the administrator's header value from all others, in constant time. */
export type IsAdmin = (authorization: string) => boolean;

const ADMIN: Caller = { kind: 'admin' };
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Takes the accepted credentials; the whole header value has to be `Bearer <credential>`. */
export function adminCheck(adminTokens: readonly string[]): IsAdmin {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const accepted = adminTokens.map((token) => digest(`Bearer ${token}`));
  return (authorization) => {
    const presented = digest(authorization);
    // Every one is compared, so that the time does not tell which one was near.
    return accepted.map((one) => timingSafeEqual(one, presented)).includes(true);
  };
}

/**
 * Gives the caller that this route accepts.
 * @throws Problem unauthorized with a challenge, insufficient_scope
 */
export async function authenticate(
  route: Pick<Route, 'access' | 'scope'>,
  authorization: string | undefined,
  isAdmin: IsAdmin,
  findToken: FindToken,
): Promise<Caller> {
  const { access, scope } = route;
  if (access === 'public') return ANONYMOUS;
  if (authorization === undefined) {
    if (access === 'optional') return ANONYMOUS;
    throw challenge(access);
  }
  if (access !== 'user' && isAdmin(authorization)) return ADMIN;
  if (access === 'admin') throw challenge(access, authorization);
  const token = BEARER.exec(authorization)?.[1];
  const user = token !== undefined && isToken(token) ? await findToken(hashToken(token)) : undefined;
  if (user === undefined) throw challenge(access, authorization);
  if (scope !== undefined && !user.scopes.includes(scope)) throw insufficientScope(scope);
  return user;
}

/** The token was good a moment ago, and its user has been erased since. */
export function tokenRevoked(): Problem {
  return challenge('user', 'Bearer');
}

/** RFC 6750 section 3.1: no error code where no credential was sent; one text for all that is wrong with one. */
function challenge(access: Route['access'], authorization?: string): Problem {
  const realm = access === 'admin' ? 'admin' : 'api';
  const invalid = authorization !== undefined && /^bearer\b/i.test(authorization);
  const reason = invalid
    ? ', error="invalid_token", error_description="The access token is invalid or expired"'
    : '';
  return new Problem('unauthorized', { headers: { 'www-authenticate': `Bearer realm="${realm}"${reason}` } });
}

function insufficientScope(scope: string): Problem {
  const value = `Bearer realm="api", error="insufficient_scope", scope="${scope}"`;
  return new Problem('insufficient_scope', { headers: { 'www-authenticate': value } });
}

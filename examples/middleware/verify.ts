/** What both ways to verify a token have in common, and the middleware uses. */

export interface VerifiedUser {
  /** Id of the user. */
  readonly id: string;
  readonly scopes: readonly string[];
}

/** The response that a request without a valid token gets. */
export interface Rejection {
  readonly status: 401 | 503;
  readonly headers: Readonly<Record<string, string>>;
}

/** Verifies the value of an `Authorization` header. */
export type Verify = (authorization: string | undefined) => Promise<VerifiedUser | Rejection>;

export const UNAUTHORIZED: Rejection = { status: 401, headers: { 'www-authenticate': 'Bearer' } };
/** Nobody is let in while it is unknown who they are. */
export const UNAVAILABLE: Rejection = { status: 503, headers: { 'retry-after': '5' } };

export function isRejection(result: VerifiedUser | Rejection): result is Rejection {
  return 'status' in result;
}

/** Returns the token of an `Authorization` header; undefined if it has none. */
export function readBearer(authorization = ''): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
}

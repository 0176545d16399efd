/** Verifies tokens of users by asking the service, for the middleware beside this file. */
import { LRUCache } from 'lru-cache';
import {
  type Rejection,
  readBearer,
  UNAUTHORIZED,
  UNAVAILABLE,
  type VerifiedUser,
  type Verify,
} from './verify.ts';

export interface VerifierOptions {
  /** URL of the service. */
  readonly url: string;
  /** `fd_svc_…`: a credential with the scope `tokens:verify`. */
  readonly credential: string;
  /** Clock of the cache in milliseconds. */
  readonly now?: () => number;
}

const TIMEOUT_MS = 2_000;
const MAX_TOKENS = 10_000;
/** A revoked token may be accepted for this long. Without the cache, it is rejected at once. */
const CACHE_MS = 5_000;

/** Creates a function that verifies the value of an `Authorization` header. */
export function createVerifier({ url, credential, now = () => performance.now() }: VerifierOptions): Verify {
  // #region verify
  const request = async (token: string): Promise<VerifiedUser | Rejection> => {
    const response = await fetch(`${url}/api/v1/tokens/verify`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The service has responded with ${response.status}`);
    const { active, sub, scope } = await response.json();
    return active ? { id: sub, scopes: scope.split(' ') } : UNAUTHORIZED;
  };
  // Concurrent requests with one token share one request. Failures are not kept.
  const cache = new LRUCache<string, VerifiedUser | Rejection>({
    max: MAX_TOKENS,
    ttl: CACHE_MS,
    perf: { now },
    ttlResolution: 0,
    fetchMethod: request,
  });
  // #endregion
  return async (authorization) => {
    const token = readBearer(authorization);
    if (token === undefined) return UNAUTHORIZED;
    try {
      return (await cache.fetch(token)) ?? UNAVAILABLE;
    } catch {
      return UNAVAILABLE;
    }
  };
}

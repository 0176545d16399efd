/**
 * Which limits a request is counted under, and the refusal when one is used up (RFC 6585 section 4). A caller
 * without a credential is counted by network, a user by id; the administrator is not limited, only the
 * guessing of the credential is.
 */
import { createHmac } from 'node:crypto';
import { Problem } from '../../problems.ts';
import { networkOf } from '../../tools/network.ts';
import type { Caller, Route } from '../route.ts';
import { limitHeaders, type Outcome } from './limit-headers.ts';
import type { LimitStores } from './limit-stores.ts';
import { type AdvertisedLimit, type Limits, SHARED_LIMITS } from './limits.ts';

type Limited = Pick<Route, 'access' | 'limits'>;

export interface Limiter {
  /**
   * Before the credential is looked at. Gives headers for the answer, as names and values in turn.
   * @throws LimitExceeded
   */
  beforeAuthentication(route: Limited, address: string, hasCredential: boolean): Promise<string[]>;
  /** A credential was wrong. @throws LimitExceeded in place of the refusal of the credential */
  credentialRefused(route: Limited, address: string): Promise<string[]>;
  /** The credential was right. @throws LimitExceeded */
  afterAuthentication(route: Limited, caller: Caller, address: string): Promise<string[]>;
}

/** The refusal, with the headers that go out beside it. */
export class LimitExceeded extends Problem {
  readonly limitHeaders: readonly string[];

  constructor(name: AdvertisedLimit | 'admin-fail', retryAfterSeconds: number, headers: readonly string[]) {
    super(`rate_limited_${name.replace('-', '_') as 'anon'}`, {
      headers: { 'retry-after': String(retryAfterSeconds) },
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      members: { 'violated-policies': [name] },
    });
    this.limitHeaders = headers;
  }
}

const NO_HEADERS: string[] = [];

export function createLimiter(limits: Limits, stores: LimitStores, hashKey: Uint8Array): Limiter {
  /** In the shared store stand hashes, so that the database does not become a list of who came from where. */
  const sharedKey = (key: string) => createHmac('sha256', hashKey).update(key).digest('base64url');

  const take = async (names: readonly AdvertisedLimit[], subject: string): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const name of names) {
      const quota = limits[name];
      if (quota === null) continue;
      const key = `${name}:${subject}`;
      const decision = SHARED_LIMITS.has(name)
        ? await stores.shared.take(sharedKey(key), quota)
        : stores.local.take(key, quota);
      outcomes.push({ quota, decision });
    }
    return outcomes;
  };

  const guess = limits['admin-fail'];
  const guessKey = (address: string) => sharedKey(`admin-fail:${networkOf(address)}`);

  return {
    async beforeAuthentication(route, address, hasCredential) {
      if (route.limits === 'none') return NO_HEADERS;
      if (route.access === 'admin' && hasCredential && guess !== null) {
        const foreseen = await stores.shared.peek(guessKey(address), guess);
        if (!foreseen.allowed) throw new LimitExceeded('admin-fail', foreseen.retryAfterSeconds, NO_HEADERS);
      }
      if (hasCredential && route.access !== 'public') return NO_HEADERS;
      return passed(await take(route.limits ?? ['anon'], networkOf(address)));
    },
    async credentialRefused(route, address) {
      if (route.access !== 'admin') return passed(await take(['anon'], networkOf(address)));
      if (guess !== null) await stores.shared.take(guessKey(address), guess);
      return NO_HEADERS;
    },
    async afterAuthentication(route, caller, address) {
      if (caller.kind !== 'user' || route.limits === 'none') return NO_HEADERS;
      const byUser = await take(['user'], caller.userId);
      if (route.limits === undefined) return passed(byUser);
      return passed([...byUser, ...(await take(route.limits, networkOf(address)))]);
    },
  };
}

/** The headers, if every limit had room. */
function passed(outcomes: readonly Outcome[]): string[] {
  const headers = limitHeaders(outcomes);
  const refused = outcomes.filter(({ decision }) => !decision.allowed);
  const [first] = refused;
  if (first === undefined) return headers;
  // Where several are used up, the one that takes longest says when it makes sense to come back.
  const slowest = refused.reduce((one, other) =>
    other.decision.retryAfterSeconds > one.decision.retryAfterSeconds ? other : one,
  );
  throw new LimitExceeded(slowest.quota.name as AdvertisedLimit, slowest.decision.retryAfterSeconds, headers);
}

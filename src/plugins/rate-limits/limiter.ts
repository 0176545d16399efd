/**
 * Chooses the limits that count a request and rejects it with 429 when one is used up (RFC 6585 section 4):
 * anonymous requests per network, those of users per user, those of administrators per credential.
 */
import type { Access, AdminCaller, Caller } from '../../callers/callers.ts';
import { getNetworks } from '../../lib/network.ts';
import type { Clock } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import type { Quota } from '../../rate-limits/gcra.ts';
import type { LimitStores } from '../../rate-limits/limit-stores.ts';
import {
  type AdvertisedLimit,
  type CredentialLimit,
  getCredentialLimits,
  isWrite,
  toLimitProblem,
  type UserLimit,
} from '../../rate-limits/limits.ts';
import type { CurrentSettingsSource } from '../../settings/run-time-settings.ts';
import { type LimitHeaderSink, type LimitOutcome, limitHeaders } from './limit-headers.ts';

/** Limits that count the networks of a client. */
export type NetworkLimit = Exclude<AdvertisedLimit, UserLimit | CredentialLimit>;

/** The part of a route that its limits depend on. */
interface LimitedRoute {
  readonly access: Access;
  readonly method: string;
  /** Undefined: the general limit of anonymous callers. */
  readonly limits?: readonly NetworkLimit[] | 'none' | undefined;
  /** Further limits that count a call of a user per user. */
  readonly userLimits?: readonly UserLimit[] | undefined;
  /** Limits that count a call of an administrator per credential, in place of the general ones. */
  readonly credentialLimits?: readonly CredentialLimit[] | undefined;
}

/** The part of a request that is known before authentication. */
export interface LimitedRequest {
  readonly route: LimitedRoute;
  readonly clientIp: string;
  /** Whether it has an Authorization header, valid or not. */
  readonly hasCredential: boolean;
}

export type Limiter = ReturnType<typeof createLimiter>;

/**
 * Creates the limiter. `anon`, `user`, `write`, `application`, `documents`, `submission` and the limits of credentials are counted in
 * this process, the others in `stores.shared`. Each call sets the limit headers of the response, also when it throws. One
 * that counts in memory only is synchronous and returns undefined. Errors: Problem rate_limited_…
 */
export function createLimiter(settings: CurrentSettingsSource, stores: LimitStores, clock: Clock) {
  const counters = createCounters(settings, stores);
  const settleShared = async (request: LimitedRequest, sink: LimitHeaderSink): Promise<void> =>
    settle(await counters.ofRoute(request, []), sink, clock());
  const settleAnonymous = ({ clientIp }: LimitedRequest, sink: LimitHeaderSink) =>
    settle(counters.local('anon', getNetworks(clientIp)), sink, clock());
  return {
    /** To be called before the credential is checked. */
    beforeAuthentication(request: LimitedRequest, sink: LimitHeaderSink): Promise<void> | undefined {
      const { route, hasCredential } = request;
      if (route.limits === 'none' || (hasCredential && route.access !== 'public')) return undefined;
      return route.limits === undefined ? settleAnonymous(request, sink) : settleShared(request, sink);
    },
    /**
     * To be called for a wrong credential, which may have been meant for the administrator's. When the limit is used up,
     * its error replaces the 401. While the limit of the administrator's is off, it counts like a user's.
     */
    async credentialRejected(request: LimitedRequest, credential: 'admin' | 'user', sink: LimitHeaderSink) {
      const adminFail = settings.current.limits['admin-fail'];
      if (credential === 'admin' && adminFail !== null) await countAdminFailure(stores, request, adminFail);
      else settleAnonymous(request, sink);
    },
    /** Counts a request under its `limits`, for those that depend on its body. Replaces the limit headers. */
    countNetwork: settleShared,
    /** To be called once the caller is known. */
    afterAuthentication(request: LimitedRequest, caller: Caller, sink: LimitHeaderSink) {
      const { route, clientIp } = request;
      if (caller.kind === 'admin') return settle(counters.ofCredential(route, caller), sink, clock());
      if (caller.kind !== 'user' || route.limits === 'none') return undefined;
      const outcomes = counters.local('user', [caller.userId]);
      if (isWrite(route)) counters.local('write', getNetworks(clientIp), outcomes);
      if (route.limits === undefined && route.userLimits === undefined)
        return settle(outcomes, sink, clock());
      return counters.ofRoute(request, outcomes, caller.userId).then((all) => settle(all, sink, clock()));
    },
  };
}

/** Peeks first, so that a flood of wrong credentials only reads. Not advertised. */
async function countAdminFailure({ shared }: LimitStores, { clientIp }: LimitedRequest, quota: Quota) {
  for (const verb of ['peek', 'take'] as const) {
    const { allowed, retryAfterSeconds } = await shared[verb](getNetworks(clientIp), quota);
    if (!allowed) throw limitExceeded('admin-fail', retryAfterSeconds);
  }
}

/** Limits of routes that are counted in this process: they protect its capacity, and need no durable write. */
const LOCAL: readonly AdvertisedLimit[] = ['application', 'documents', 'submission'];

/** Creates the functions that count a request under the advertised limits. */
function createCounters(settings: CurrentSettingsSource, stores: LimitStores) {
  return {
    /** Adds a general limit to the outcomes. */
    local(
      name: 'anon' | 'user' | 'write' | CredentialLimit,
      client: readonly string[],
      outcomes: LimitOutcome[] = [],
    ): LimitOutcome[] {
      const quota = settings.current.limits[name];
      if (quota !== null)
        outcomes.push({ name, quota, decision: stores.local[nextVerb(outcomes)](client, quota) });
      return outcomes;
    },

    /** Counts a request of an administrator. ADMIN_TOKEN has no id, and its name is reserved. */
    ofCredential(route: LimitedRoute, { credential: { id, name } }: AdminCaller) {
      const limits = id === null ? (route.credentialLimits ?? []) : getCredentialLimits(route);
      return limits.flatMap((limit) => this.local(limit, [id ?? name]));
    },

    /** Adds the limits that the route states to the outcomes: those of networks and, with a user, those of users. */
    async ofRoute({ route, clientIp }: LimitedRequest, outcomes: LimitOutcome[], userId?: string) {
      const { limits = [], userLimits = [] } = route;
      const networks = getNetworks(clientIp);
      const counted: (readonly [name: AdvertisedLimit, client: readonly string[]])[] = [
        ...(limits === 'none' ? [] : limits).map((name) => [name, networks] as const),
        ...(userId === undefined ? [] : userLimits.map((name) => [name, [userId]] as const)),
      ];
      for (const [name, client] of counted) {
        const quota = settings.current.limits[name];
        if (quota === null) continue;
        const store = LOCAL.includes(name) ? stores.local : stores.shared;
        outcomes.push({ name, quota, decision: await store[nextVerb(outcomes)](client, quota) });
      }
      return outcomes;
    },
  };
}

/** A request that one limit rejects is not taken from the quotas of the limits after it. */
function nextVerb(outcomes: readonly LimitOutcome[]): 'take' | 'peek' {
  return outcomes.every(({ decision }) => decision.allowed) ? 'take' : 'peek';
}

/** Sets the headers. If limits are used up, throws the problem of the limit with the longest wait. */
function settle(outcomes: readonly LimitOutcome[], sink: LimitHeaderSink, now: number): undefined {
  if (outcomes.length === 0) return;
  sink.setLimitHeaders(limitHeaders(outcomes, now));
  let slowest: LimitOutcome | undefined;
  const violated: string[] = [];
  for (const outcome of outcomes) {
    if (outcome.decision.allowed) continue;
    violated.push(outcome.name);
    const wait = slowest?.decision.retryAfterSeconds ?? 0;
    if (outcome.decision.retryAfterSeconds > wait) slowest = outcome;
  }
  if (slowest === undefined) return;
  throw limitExceeded(slowest.name, slowest.decision.retryAfterSeconds, violated);
}

/** RFC 6585 section 4, with the problem type of draft-ietf-httpapi-ratelimit-headers. */
function limitExceeded(
  name: AdvertisedLimit | 'admin-fail',
  retryAfterSeconds: number,
  violated: readonly string[] = [name],
): Problem {
  return new Problem(toLimitProblem(name), {
    retryAfterSeconds,
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    members: { 'violated-policies': violated },
  });
}

/**
 * Chooses the limits that count a request and rejects it with 429 when one is used up (RFC 6585 section 4).
 * Anonymous requests are counted per network, those of a user per user id. The administrator has no limit; only
 * wrong administrator credentials are counted, per network.
 */
import type { Clock } from '../../lib/clock.ts';
import { networkOf } from '../../lib/network.ts';
import { Problem } from '../../problems.ts';
import type { Caller, Route } from '../route.ts';
import type { Decision, Quota } from './gcra.ts';
import { type LimitHeaderSink, limitHeaders, type Outcome } from './limit-headers.ts';
import type { LimitStores } from './limit-stores.ts';
import { type AdvertisedLimit, LIMIT_PROBLEMS, type Limits } from './limits.ts';

/** The part of a request that is known before authentication. */
export interface LimitedRequest {
  readonly route: Pick<Route, 'access' | 'limits'>;
  readonly clientIp: string;
  /** Whether it has an Authorization header, valid or not. */
  readonly hasCredential: boolean;
}

/**
 * Each call sets the limit headers of the response, also when it throws. A call that counts in memory only is
 * synchronous and returns undefined. @throws Problem rate_limited_…
 */
export interface Limiter {
  /** To be called before the credential is checked. */
  beforeAuthentication(request: LimitedRequest, sink: LimitHeaderSink): Promise<void> | undefined;
  /** To be called for a wrong credential. When the limit is used up, its error replaces the 401. */
  credentialRejected(request: LimitedRequest, sink: LimitHeaderSink): Promise<void>;
  /** To be called once the caller is known. */
  afterAuthentication(
    request: LimitedRequest,
    caller: Caller,
    sink: LimitHeaderSink,
  ): Promise<void> | undefined;
}

/** Creates the limiter. `anon`, `user` and `documents` are counted in this process, the others in `stores.shared`. */
export function createLimiter(limits: Limits, stores: LimitStores, clock: Clock): Limiter {
  const counters = createCounters(limits, stores);
  const adminFailures = createAdminFailures(limits['admin-fail'], stores);
  const settleShared = async (request: LimitedRequest, sink: LimitHeaderSink, outcomes: Outcome[]) =>
    settle(await counters.shared(request, outcomes), sink, clock());
  return {
    beforeAuthentication(request, sink) {
      const { route, clientIp, hasCredential } = request;
      if (route.limits === 'none') return undefined;
      if (hasCredential && route.access !== 'public') {
        return route.access === 'admin' ? adminFailures.check(clientIp) : undefined;
      }
      if (route.limits !== undefined) return settleShared(request, sink, []);
      return settle(counters.local('anon', networkOf(clientIp)), sink, clock());
    },
    async credentialRejected({ route, clientIp }, sink) {
      if (route.access === 'admin') await adminFailures.count(clientIp);
      else settle(counters.local('anon', networkOf(clientIp)), sink, clock());
    },
    afterAuthentication(request, caller, sink) {
      if (caller.kind !== 'user' || request.route.limits === 'none') return undefined;
      const outcomes = counters.local('user', caller.userId);
      if (request.route.limits !== undefined) return settleShared(request, sink, outcomes);
      return settle(outcomes, sink, clock());
    },
  };
}

/** Creates the functions that count a request under the advertised limits. */
function createCounters(limits: Limits, stores: LimitStores) {
  return {
    local(name: 'anon' | 'user', client: string): Outcome[] {
      const quota = limits[name];
      return quota === null ? [] : [{ name, quota, decision: stores.local.take(client, quota) }];
    },

    /**
     * Adds the limits of the route to the outcomes. A request that one limit rejects is not taken from the quotas
     * of the limits after it.
     */
    async shared({ route, clientIp }: LimitedRequest, outcomes: Outcome[]): Promise<Outcome[]> {
      const network = networkOf(clientIp);
      for (const name of route.limits as readonly AdvertisedLimit[]) {
        const quota = limits[name];
        if (quota === null) continue;
        const verb = outcomes.every(({ decision }) => decision.allowed) ? 'take' : 'peek';
        const store = name === 'documents' ? stores.local : stores.shared;
        outcomes.push({ name, quota, decision: await store[verb](network, quota) });
      }
      return outcomes;
    },
  };
}

/** Creates the limit of wrong administrator credentials, which is counted per network and not advertised. */
function createAdminFailures(quota: Quota | null, { shared }: LimitStores) {
  const rejectUnlessAllowed = async (pending: Decision | Promise<Decision>): Promise<void> => {
    const { allowed, retryAfterSeconds } = await pending;
    if (!allowed) throw limitExceeded('admin-fail', retryAfterSeconds);
  };
  return {
    check(clientIp: string): Promise<void> | undefined {
      return quota === null ? undefined : rejectUnlessAllowed(shared.peek(networkOf(clientIp), quota));
    },
    /** Rejects as well: other attempts may have been counted since `check`. */
    async count(clientIp: string): Promise<void> {
      if (quota !== null) await rejectUnlessAllowed(shared.take(networkOf(clientIp), quota));
    },
  };
}

/** Sets the headers. If limits are used up, throws the problem of the one with the longest wait. */
function settle(outcomes: readonly Outcome[], sink: LimitHeaderSink, now: number): undefined {
  if (outcomes.length === 0) return;
  sink.setLimitHeaders(limitHeaders(outcomes, now));
  let slowest: Outcome | undefined;
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
  return new Problem(LIMIT_PROBLEMS[name], {
    retryAfterSeconds,
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    members: { 'violated-policies': violated },
  });
}

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

/** What the limiter knows of a request before the caller is known. */
export interface LimitedRequest {
  readonly route: Pick<Route, 'access' | 'limits'>;
  readonly clientIp: string;
  /** Whether it carries an Authorization header, right or wrong. */
  readonly hasCredential: boolean;
}

/**
 * Each call sets the limit headers of the response, also when it throws. A call that needs only memory is
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

/** Counts `anon` and `user` in this process, all other limits in `stores.shared`. */
export function createLimiter(limits: Limits, stores: LimitStores, clock: Clock): Limiter {
  const takeLocal = (name: 'anon' | 'user', client: string): Outcome[] => {
    const quota = limits[name];
    return quota === null ? [] : [{ name, quota, decision: stores.local.take(client, quota) }];
  };

  /** Counts under these limits as well. What one limit rejects is not taken from the quota of those after it. */
  const takeShared = async (
    { route, clientIp }: LimitedRequest,
    sink: LimitHeaderSink,
    outcomes: Outcome[],
  ): Promise<void> => {
    const network = networkOf(clientIp);
    for (const name of route.limits as readonly AdvertisedLimit[]) {
      const quota = limits[name];
      if (quota === null) continue;
      const verb = outcomes.every(({ decision }) => decision.allowed) ? 'take' : 'peek';
      outcomes.push({ name, quota, decision: await stores.shared[verb](network, quota) });
    }
    settle(outcomes, sink, clock());
  };

  const adminFail = limits['admin-fail'];
  const checkAdminFailures = async (clientIp: string, quota: Quota): Promise<void> => {
    rejectAdminUnless(await stores.shared.peek(networkOf(clientIp), quota));
  };

  return {
    beforeAuthentication(request, sink) {
      const { route, clientIp, hasCredential } = request;
      if (route.limits === 'none') return undefined;
      if (hasCredential && route.access !== 'public') {
        const isCounted = route.access === 'admin' && adminFail !== null;
        return isCounted ? checkAdminFailures(clientIp, adminFail) : undefined;
      }
      if (route.limits !== undefined) return takeShared(request, sink, []);
      return settle(takeLocal('anon', networkOf(clientIp)), sink, clock());
    },
    async credentialRejected({ route, clientIp }, sink) {
      if (route.access !== 'admin') settle(takeLocal('anon', networkOf(clientIp)), sink, clock());
      else if (adminFail !== null) {
        // Checked again: other attempts may have been counted since the check before authentication.
        rejectAdminUnless(await stores.shared.take(networkOf(clientIp), adminFail));
      }
    },
    afterAuthentication(request, caller, sink) {
      if (caller.kind !== 'user' || request.route.limits === 'none') return undefined;
      const byUser = takeLocal('user', caller.userId);
      if (request.route.limits !== undefined) return takeShared(request, sink, byUser);
      return settle(byUser, sink, clock());
    },
  };
}

function rejectAdminUnless({ allowed, retryAfterSeconds }: Decision): void {
  if (!allowed) throw limitExceeded('admin-fail', retryAfterSeconds);
}

/** Sets the headers, and rejects where a limit is used up, with the code and wait of the one that waits longest. */
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

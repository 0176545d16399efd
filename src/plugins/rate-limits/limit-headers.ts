/** Response headers that describe rate limits: draft-ietf-httpapi-ratelimit-headers and the X-RateLimit family. */
import type { Decision, Quota } from '../../rate-limits/gcra.ts';
import type { AdvertisedLimit } from '../../rate-limits/limits.ts';

export interface LimitOutcome {
  readonly name: AdvertisedLimit;
  readonly quota: Quota;
  readonly decision: Decision;
}

/** By name in lower case. */
export type LimitHeaders = Record<
  'ratelimit-policy' | 'ratelimit' | 'x-ratelimit-limit' | 'x-ratelimit-remaining' | 'x-ratelimit-reset',
  string
>;

/** Receives the rate-limit headers of a response, for instance the response itself. */
export interface LimitHeaderSink {
  /** A later call replaces the headers; not called at all when no advertised limit counted the request. */
  setLimitHeaders(headers: LimitHeaders): void;
}

/**
 * Describes at least one outcome at `now` (epoch milliseconds). X-RateLimit has the limit with the fewest
 * requests left.
 */
export function limitHeaders(outcomes: readonly LimitOutcome[], now: number): LimitHeaders {
  let tightest = outcomes[0]!;
  let policies = '';
  let states = '';
  for (const outcome of outcomes) {
    const { name, quota, decision } = outcome;
    const separator = policies === '' ? '' : ', ';
    policies += `${separator}"${name}";q=${quota.limit};w=${quota.windowSeconds}`;
    states += `${separator}"${name}";r=${decision.remaining};t=${decision.nextSeconds}`;
    if (decision.remaining < tightest.decision.remaining) tightest = outcome;
  }
  const { remaining, resetMs } = tightest.decision;
  return {
    'ratelimit-policy': policies,
    ratelimit: states,
    'x-ratelimit-limit': String(tightest.quota.limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((now + resetMs) / 1000)),
  };
}

/**
 * Rate limits by the generic cell rate algorithm (GCRA, ITU-T I.371): all that is known of a client is one
 * number, its theoretical arrival time (TAT), the moment at which its whole quota is back. Pure arithmetic.
 * The figures are those of draft-ietf-httpapi-ratelimit-headers (q, w, r, t) and of Retry-After (RFC 9110
 * section 10.2.3).
 */

/** `limit` units in every `windowSeconds`; both whole numbers, at least 1. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** Units that are left, 0 to `limit`: parameter r. */
  readonly remaining: number;
  /** Seconds, rounded up, until one more unit is there; 0 only while the quota is whole: parameter t. */
  readonly nextSeconds: number;
  /** 0 when allowed, else the seconds, rounded up, after which this request passes. Never less than t. */
  readonly retryAfterSeconds: number;
  /** Milliseconds, rounded up, until the whole quota is back; 0 while it is whole. */
  readonly resetMs: number;
}

/**
 * Takes one unit at `now` (whole epoch milliseconds) from a client whose TAT is `tat`, undefined if none is
 * known. Gives the decision and the TAT to keep. A refusal leaves the TAT as it was, except that one further
 * ahead than a whole window (the clock was set back) is cut to that: the client waits one interval, not as
 * long as the clock was wrong.
 */
export function decide(
  quota: Quota,
  tat: number | undefined,
  now: number,
): { decision: Decision; tat: number } {
  const scale = scaleOf(quota);
  const debt = debtAt(scale, quota, tat, now);
  const allowed = debt + scale.interval <= scale.interval * quota.limit;
  const after = allowed ? debt + scale.interval : debt;
  return { decision: describe(scale, quota, after, allowed), tat: now + after / scale.parts };
}

/** Whether a request would pass at `now`, with the figures as they stand before it: takes nothing. */
export function foresee(quota: Quota, tat: number | undefined, now: number): Decision {
  const scale = scaleOf(quota);
  const debt = debtAt(scale, quota, tat, now);
  return describe(scale, quota, debt, debt + scale.interval <= scale.interval * quota.limit);
}

/** The figures after a request that another reckoner (a shared store) has let pass or refused. */
export function settled(quota: Quota, tat: number, now: number, allowed: boolean): Decision {
  const scale = scaleOf(quota);
  return describe(scale, quota, debtAt(scale, quota, tat, now), allowed);
}

/** What one request costs in milliseconds, and in how many parts of one it is reckoned. */
export function intervalOf(quota: Quota): { readonly milliseconds: number; readonly parts: number } {
  const { parts, interval } = scaleOf(quota);
  return { milliseconds: interval / parts, parts };
}

/** The unit in which a quota is reckoned: `parts` to a millisecond, `interval` of them pay for one request. */
interface Scale {
  readonly parts: number;
  readonly interval: number;
}

/** A float64 of epoch milliseconds resolves 1/2048 until the year 2109; half of that is told apart safely. */
const MAX_PARTS = 1024;

/**
 * 7 requests in 60 s are 8571.43 ms each: added up in floating point they drift, and the seventh of a burst
 * may not fit. In sevenths of a millisecond every figure is a whole number, so nothing is ever rounded. Only
 * a quota that needs finer parts (a limit over 1024 that does not divide well) has its interval rounded up
 * to 1/1024 ms, which is then exact in turn: a little stricter, never laxer.
 */
function scaleOf(quota: Quota): Scale {
  const windowMilliseconds = quota.windowSeconds * 1000;
  const parts = Math.min(quota.limit / greatestCommonDivisor(windowMilliseconds, quota.limit), MAX_PARTS);
  return { parts, interval: Math.ceil((windowMilliseconds * parts) / quota.limit) };
}

function greatestCommonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** How much of the quota is used, in the scale's unit: rounding restores the whole number behind the TAT. */
function debtAt(scale: Scale, quota: Quota, tat: number | undefined, now: number): number {
  if (tat === undefined || tat <= now) return 0;
  return Math.min(Math.round((tat - now) * scale.parts), scale.interval * quota.limit);
}

function describe(scale: Scale, quota: Quota, debt: number, allowed: boolean): Decision {
  const free = scale.interval * quota.limit - debt;
  const remaining = Math.floor(free / scale.interval);
  const missing = debt === 0 ? 0 : (remaining + 1) * scale.interval - free;
  const nextSeconds = Math.ceil(missing / scale.parts / 1000);
  return {
    allowed,
    remaining,
    nextSeconds,
    retryAfterSeconds: allowed ? 0 : nextSeconds,
    resetMs: Math.ceil(debt / scale.parts),
  };
}

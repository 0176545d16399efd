/**
 * Quotas of the networks around a client. A subscriber with a /56 or /48 has 256 or 65,536 networks of the size that
 * counts as one client, so the wider networks are counted too.
 */
import type { Decision, Quota } from './gcra.ts';

/**
 * The quotas of the /64, /56 and /48 of `getNetworks`, as multiples of the configured one. Wider networks may belong
 * to many subscribers (mobile networks assign a /64 to each), so they have more than one share; but so few that the
 * whole of a /48 gets no more than sixteen IPv4 addresses do.
 */
const FACTORS = [1, 4, 16];

/** Returns the quota of each network of a client, in the order of `getNetworks`. */
export function networkQuotas(quota: Quota): readonly Quota[] {
  const known = quotas.get(quota);
  if (known !== undefined) return known;
  const scaled = FACTORS.map((factor) => (factor === 1 ? quota : { ...quota, limit: quota.limit * factor }));
  quotas.set(quota, scaled);
  return scaled;
}

/** Quotas are settings: few, and as old as the process. */
const quotas = new WeakMap<Quota, readonly Quota[]>();

/**
 * Combines the decisions on one request: it is allowed if every network allows it. The figures are those of the
 * network with the fewest remaining requests, never more than the narrowest has.
 */
export function combine(decisions: readonly Decision[]): Decision {
  let tightest = decisions[0]!;
  let allowed = true;
  for (const decision of decisions) {
    allowed &&= decision.allowed;
    const difference = decision.remaining - tightest.remaining;
    // With as few remaining, one more is added when the slower one adds it.
    if (difference < 0 || (difference === 0 && decision.nextSeconds > tightest.nextSeconds))
      tightest = decision;
  }
  return { ...tightest, allowed, retryAfterSeconds: allowed ? 0 : tightest.nextSeconds };
}

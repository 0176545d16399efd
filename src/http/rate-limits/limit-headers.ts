/** What a client reads of its limits: draft-ietf-httpapi-ratelimit-headers and the X-RateLimit family. */
import type { Decision, Quota } from './gcra.ts';
import type { AdvertisedLimit } from './limits.ts';

export interface Outcome {
  readonly name: AdvertisedLimit;
  readonly quota: Quota;
  readonly decision: Decision;
}

/** Header lines; none for no outcomes. The X- family shows the limit with the least left. */
export function limitLines(outcomes: readonly Outcome[]): string {
  const [first] = outcomes;
  if (first === undefined) return '';
  let least = first;
  let policies = '';
  let states = '';
  for (const outcome of outcomes) {
    const { name, quota, decision } = outcome;
    const separator = policies === '' ? '' : ', ';
    policies += `${separator}"${name}";q=${quota.limit};w=${quota.windowSeconds}`;
    states += `${separator}"${name}";r=${decision.remaining};t=${decision.nextSeconds}`;
    if (decision.remaining < least.decision.remaining) least = outcome;
  }
  const { remaining, fullAt } = least.decision;
  return (
    `RateLimit-Policy: ${policies}\r\nRateLimit: ${states}\r\nX-RateLimit-Limit: ${least.quota.limit}\r\n` +
    `X-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${Math.ceil(fullAt / 1000)}\r\n`
  );
}

/** What a client reads of its limits: draft-ietf-httpapi-ratelimit-headers and the X-RateLimit family. */
import type { Decision, Quota } from './gcra.ts';

export interface Outcome {
  readonly quota: Quota;
  readonly decision: Decision;
}

/** Names and values in turn; nothing for no outcomes. The X- family shows the limit with the least left. */
export function limitHeaders(outcomes: readonly Outcome[]): string[] {
  const [first] = outcomes;
  if (first === undefined) return [];
  let least = first;
  let policies = '';
  let states = '';
  for (const outcome of outcomes) {
    const { quota, decision } = outcome;
    const separator = policies === '' ? '' : ', ';
    policies += `${separator}"${quota.name}";q=${quota.limit};w=${quota.windowSeconds}`;
    states += `${separator}"${quota.name}";r=${decision.remaining};t=${decision.nextSeconds}`;
    if (decision.remaining < least.decision.remaining) least = outcome;
  }
  return [
    'RateLimit-Policy',
    policies,
    'RateLimit',
    states,
    'X-RateLimit-Limit',
    String(least.quota.limit),
    'X-RateLimit-Remaining',
    String(least.decision.remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(least.decision.fullAt / 1000)),
  ];
}

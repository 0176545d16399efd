/**
 * Which limits a request is counted under, and the refusal when one is used up (RFC 6585 section 4). A caller
 * without a credential is counted by network, a user by id; the administrator is not limited, only the
 * guessing of the credential is.
 */

import { networkOf } from '../../lib/network.ts';
import { Problem } from '../../problems.ts';
import type { Caller, Route } from '../route.ts';
import type { Decision, Quota } from './gcra.ts';
import { limitLines, type Outcome } from './limit-headers.ts';
import type { LimitStores } from './limit-stores.ts';
import { type AdvertisedLimit, LIMIT_PROBLEMS, type Limits } from './limits.ts';

type Limited = Pick<Route, 'access' | 'limits'>;

/** What the limits are told in. */
export interface LimitedAnswer {
  /** Header lines. */
  extraLines: string;
}

/**
 * Each call adds what the client may know of its limits to the head of the answer, also when it refuses, and is
 * done at once (undefined) where only memory was asked. @throws Problem rate_limited_…
 */
export interface Limiter {
  /** Before the credential is looked at. */
  beforeAuthentication(
    route: Limited,
    address: string,
    hasCredential: boolean,
    answer: LimitedAnswer,
  ): Promise<void> | undefined;
  /** A credential was wrong: a limit that is used up is told in place of that. */
  credentialRefused(route: Limited, address: string, answer: LimitedAnswer): Promise<void>;
  /** The credential was right. */
  afterAuthentication(
    route: Limited,
    caller: Caller,
    address: string,
    answer: LimitedAnswer,
  ): Promise<void> | undefined;
}

/** Counts `anon` and `user` in this process, the others where `stores.shared` is. */
export function createLimiter(limits: Limits, stores: LimitStores): Limiter {
  const countHere = (name: 'anon' | 'user', client: string): Outcome[] => {
    const quota = limits[name];
    return quota === null ? [] : [{ name, quota, decision: stores.local.take(client, quota) }];
  };

  /** What is refused by one limit is not taken from the ones behind it. */
  const countShared = async (
    names: readonly AdvertisedLimit[],
    address: string,
    answer: LimitedAnswer,
    outcomes: Outcome[] = [],
  ): Promise<void> => {
    const network = networkOf(address);
    for (const name of names) {
      const quota = limits[name];
      if (quota === null) continue;
      const act = outcomes.every(({ decision }) => decision.allowed) ? 'take' : 'peek';
      outcomes.push({ name, quota, decision: await stores.shared[act](network, quota) });
    }
    settle(outcomes, answer);
  };

  const guess = limits['admin-fail'];
  const checkGuesses = async (address: string, quota: Quota): Promise<void> => {
    rejectAttempt(await stores.shared.peek(networkOf(address), quota));
  };

  return {
    beforeAuthentication(route, address, hasCredential, answer) {
      if (route.limits === 'none') return undefined;
      if (hasCredential && route.access !== 'public') {
        return route.access === 'admin' && guess !== null ? checkGuesses(address, guess) : undefined;
      }
      if (route.limits !== undefined) return countShared(route.limits, address, answer);
      return settle(countHere('anon', networkOf(address)), answer);
    },
    async credentialRefused(route, address, answer) {
      if (route.access !== 'admin') settle(countHere('anon', networkOf(address)), answer);
      else if (guess !== null) {
        // Asked again: others may have guessed since the credential was looked at.
        rejectAttempt(await stores.shared.take(networkOf(address), guess));
      }
    },
    afterAuthentication(route, caller, address, answer) {
      if (caller.kind !== 'user' || route.limits === 'none') return undefined;
      const byUser = countHere('user', caller.userId);
      if (route.limits !== undefined) return countShared(route.limits, address, answer, byUser);
      return settle(byUser, answer);
    },
  };
}

function rejectAttempt({ allowed, retryAfterSeconds }: Decision): void {
  if (!allowed) throw exceeded('admin-fail', retryAfterSeconds);
}

/** Tells the client what is left, and refuses where nothing was: the limit that takes longest says when. */
function settle(outcomes: readonly Outcome[], answer: LimitedAnswer): undefined {
  answer.extraLines += limitLines(outcomes);
  let slowest: Outcome | undefined;
  const violated: string[] = [];
  for (const outcome of outcomes) {
    if (outcome.decision.allowed) continue;
    violated.push(outcome.name);
    const wait = slowest?.decision.retryAfterSeconds ?? 0;
    if (outcome.decision.retryAfterSeconds > wait) slowest = outcome;
  }
  if (slowest === undefined) return;
  throw exceeded(slowest.name, slowest.decision.retryAfterSeconds, violated);
}

/** RFC 6585 section 4, with the problem type of draft-ietf-httpapi-ratelimit-headers. */
function exceeded(
  name: AdvertisedLimit | 'admin-fail',
  retryAfterSeconds: number,
  violated: readonly string[] = [name],
): Problem {
  return new Problem(LIMIT_PROBLEMS[name], {
    headers: { 'retry-after': String(retryAfterSeconds) },
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    members: { 'violated-policies': violated },
  });
}

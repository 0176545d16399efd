/**
 * Slows down guessing at a login without telling anything about the account: every answer is the same whether
 * or not the address is known (OWASP Credential Stuffing Cheat Sheet; NIST SP 800-63B-4 section 3.2.2).
 */

import type { AttemptDecision, FailedAttemptLimits } from '../../http/rate-limits/failed-attempts.ts';
import type { Quota } from '../../http/rate-limits/gcra.ts';
import type { Limits } from '../../http/rate-limits/limits.ts';
import type { FailedAttemptRule } from '../../http/rate-limits/queries.ts';
import { DAY, MINUTE } from '../../lib/clock.ts';
import { createKeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { networkOf } from '../../lib/network.ts';
import { Problem } from '../../problems.ts';

export interface LoginAttempt {
  readonly emailKey: string;
  readonly address: string;
  /** Whether this account has logged in from this network before: such a network is never locked out. */
  readonly isKnownNetwork: (network: string) => Promise<boolean>;
}

export interface LoginGuard {
  /**
   * Runs `verify` if the attempt is admitted; it says with its result whether the password was right.
   * @throws Problem too_many_requests, without saying of which limit
   */
  run<T>(attempt: LoginAttempt, verify: (network: string) => Promise<T>): Promise<T>;
}

const MAX_WAIT_MS = 15 * MINUTE;
const ACCOUNT_FORGET_MS = 30 * DAY;

/** A few free tries, then waits of 1, 2, 4 … seconds up to 15 minutes, for one account from one network. */
function pairRule({ limit, windowSeconds }: Quota): FailedAttemptRule {
  return {
    limit,
    forgetAfterMs: windowSeconds * 1000,
    forgetPenaltyAfterMs: MAX_WAIT_MS,
    firstWaitMs: 1000,
    growth: 2,
    maxWaitMs: MAX_WAIT_MS,
  };
}

/** So many failures in a row from anywhere, then one try in a window, until somebody gets in. */
function accountRule({ limit, windowSeconds }: Quota): FailedAttemptRule {
  const wait = windowSeconds * 1000;
  return {
    limit,
    forgetAfterMs: ACCOUNT_FORGET_MS,
    forgetPenaltyAfterMs: ACCOUNT_FORGET_MS,
    firstWaitMs: wait,
    growth: 1,
    maxWaitMs: wait,
  };
}

/** `hash` makes of accounts and networks what is kept, so that it does not tell who tried to be whom. */
export function createLoginGuard(
  limits: Limits,
  failedAttempts: FailedAttemptLimits,
  hash: (text: string) => string,
): LoginGuard {
  const pair = limits['login-fail'];
  const account = limits['login-account'];
  // Attempts under way count as failed. Fewer at once than are free: a client with the right password that
  // logs in many times in parallel waits its turn and is not refused.
  const semaphore = createKeyedSemaphore(Math.max(1, (pair?.limit ?? Infinity) - 1));

  return {
    async run({ emailKey, address, isKnownNetwork }, verify) {
      const network = hash(`network:${networkOf(address)}`);
      const accountKey = hash(`account:${emailKey}`);
      const pairKey = hash(`pair:${accountKey}:${network}`);
      return semaphore(pairKey, async () => {
        const counted: string[] = [];
        const count = async (key: string, rule: FailedAttemptRule): Promise<AttemptDecision> => {
          const decision = await failedAttempts.attempt(key, rule);
          if (decision.admitted) counted.push(key);
          return decision;
        };
        try {
          if (pair !== null) rejectUnless(await count(pairKey, pairRule(pair)));
          const isKnown = await isKnownNetwork(network);
          if (account !== null) {
            const decision = await count(accountKey, accountRule(account));
            if (!isKnown) rejectUnless(decision);
          }
          const result = await verify(network);
          // The token is made: that the failures before are not forgotten is no reason to withhold it.
          await Promise.allSettled([failedAttempts.forget(pairKey), failedAttempts.forget(accountKey)]);
          return result;
        } catch (error) {
          // Refused, the queue full or the database away: that was nobody's wrong password.
          if (!isWrongPassword(error))
            await Promise.allSettled(counted.map((key) => failedAttempts.takeBack(key)));
          throw error;
        }
      });
    },
  };
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid_login';
}

function rejectUnless(decision: { admitted: boolean; retryAfterSeconds: number }): void {
  if (decision.admitted) return;
  const headers = { 'retry-after': String(decision.retryAfterSeconds) };
  throw new Problem('too_many_requests', { headers });
}

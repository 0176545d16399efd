/**
 * Slows down guessing of passwords at the login without revealing anything about the account: responses are the
 * same whether or not it exists (OWASP Credential Stuffing Cheat Sheet; NIST SP 800-63B-4 section 3.2.2).
 */
import type { FailedAttemptRule } from '../../database/shared-limits.ts';
import type { AttemptDecision, FailedAttemptLimits } from '../../http/rate-limits/failed-attempts.ts';
import type { Quota } from '../../http/rate-limits/gcra.ts';
import type { Limits } from '../../http/rate-limits/limits.ts';
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
   * Runs `verify` if the attempt is admitted. `verify` returns when the password was right and throws
   * `invalid_login` when it was wrong. @throws Problem too_many_requests, without naming the limit
   */
  run<T>(attempt: LoginAttempt, verify: (network: string) => Promise<T>): Promise<T>;
}

const MAX_WAIT_MS = 15 * MINUTE;
const ACCOUNT_FORGET_MS = 30 * DAY;

/** One account from one network: after `limit` failures, waits of 1, 2, 4 … seconds up to 15 minutes. */
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

/** One account from anywhere: after `limit` failures in a row, one attempt per window until a login succeeds. */
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

/** `hash` is applied to accounts and networks before they are stored. */
export function createLoginGuard(
  limits: Limits,
  failedAttempts: FailedAttemptLimits,
  hash: (text: string) => string,
): LoginGuard {
  const pair = limits['login-fail'];
  const account = limits['login-account'];
  // Attempts in progress count as failed. Fewer run at once than the limit admits, so that a client that logs in
  // many times in parallel with the right password waits instead of being rejected.
  const semaphore = createKeyedSemaphore(Math.max(1, (pair?.limit ?? Infinity) - 1));

  return {
    run({ emailKey, address, isKnownNetwork }, verify) {
      const network = hash(`network:${networkOf(address)}`);
      const accountKey = hash(`account:${emailKey}`);
      const pairKey = hash(`pair:${accountKey}:${network}`);
      return semaphore(pairKey, () =>
        countedAttempt(failedAttempts, async (count) => {
          if (pair !== null) rejectUnlessAdmitted(await count(pairKey, pairRule(pair)));
          const isKnown = await isKnownNetwork(network);
          if (account !== null) {
            const decision = await count(accountKey, accountRule(account));
            if (!isKnown) rejectUnlessAdmitted(decision);
          }
          const result = await verify(network);
          // The login has succeeded: failing to forget earlier failures is no reason to reject it.
          await Promise.allSettled([failedAttempts.forget(pairKey), failedAttempts.forget(accountKey)]);
          return result;
        }),
      );
    },
  };
}

type Count = (key: string, rule: FailedAttemptRule) => Promise<AttemptDecision>;

/** Undoes what `work` has counted when it fails for another reason than a wrong password. */
async function countedAttempt<T>(
  failedAttempts: FailedAttemptLimits,
  work: (count: Count) => Promise<T>,
): Promise<T> {
  const counted: string[] = [];
  try {
    return await work(async (key, rule) => {
      const decision = await failedAttempts.attempt(key, rule);
      if (decision.admitted) counted.push(key);
      return decision;
    });
  } catch (error) {
    if (!isWrongPassword(error)) await Promise.allSettled(counted.map((key) => failedAttempts.undo(key)));
    throw error;
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid_login';
}

function rejectUnlessAdmitted({ admitted, retryAfterSeconds }: AttemptDecision): void {
  if (admitted) return;
  throw new Problem('too_many_requests', { headers: { 'retry-after': String(retryAfterSeconds) } });
}

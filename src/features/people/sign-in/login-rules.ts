/** Limits of failed attempts at one account, from the settings in force. */
import type { FailedAttemptRule } from '../../../database/shared-limits.ts';
import { createKeyedSemaphore } from '../../../lib/queues/shared-work.ts';
import { DAY, MINUTE } from '../../../lib/time.ts';
import type { Quota } from '../../../rate-limits/gcra.ts';
import type { Limits } from '../../../rate-limits/limits.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';

/** Returns the function that derives the rules and the semaphore from the limits in force. */
export function createRules(settings: CurrentSettingsSource) {
  let derived = deriveRules(settings.current.limits);
  return () => {
    const { limits } = settings.current;
    if (limits !== derived.limits) derived = deriveRules(limits);
    return derived;
  };
}

/** The rules of one account from one network (`pair`), and of one account from anywhere; null: no limit. */
function deriveRules(limits: Limits) {
  const pair = limits['login-fail'] && toPairRule(limits['login-fail']);
  const account = limits['login-account'] && toAccountRule(limits['login-account']);
  // Attempts in progress count as failed. Fewer run at once than the limit admits, so that a client that logs in
  // many times in parallel with the right password waits instead of being rejected.
  const semaphore = createKeyedSemaphore(Math.max(1, (pair?.limit ?? Infinity) - 1));
  return { limits, pair, account, semaphore };
}

const MAX_WAIT_MS = 15 * MINUTE;
const ACCOUNT_FORGET_MS = 30 * DAY;

/** After `limit` failures, waits of 1, 2, 4 … seconds up to 15 minutes. */
function toPairRule({ limit, windowSeconds }: Quota): FailedAttemptRule {
  return {
    limit,
    forgetAfterMs: windowSeconds * 1000,
    forgetPenaltyAfterMs: MAX_WAIT_MS,
    firstWaitMs: 1000,
    growth: 2,
    maxWaitMs: MAX_WAIT_MS,
  };
}

/** After `limit` failures in a row, one attempt per window until a login succeeds. */
function toAccountRule({ limit, windowSeconds }: Quota): FailedAttemptRule {
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

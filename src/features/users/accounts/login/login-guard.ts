/**
 * Slows down guessing of passwords at the login, and of codes at that of the console, without revealing anything
 * about the account: responses are the same whether or not it exists (OWASP Credential Stuffing Cheat Sheet; NIST SP
 * 800-63B-4 section 3.2.2).
 */
import type { FailedAttemptRule } from '../../../../database/shared-limits.ts';
import { getNetwork } from '../../../../lib/network.ts';
import { createKeyedSemaphore } from '../../../../lib/queues/keyed-semaphore.ts';
import { DAY, MINUTE } from '../../../../lib/time/clock.ts';
import { Problem, type ProblemCode } from '../../../../problems/problem.ts';
import type { AttemptDecision, FailedAttemptLimits } from '../../../../rate-limits/failed-attempts.ts';
import type { Quota } from '../../../../rate-limits/gcra.ts';
import type { Limits } from '../../../../rate-limits/limits.ts';
import type { CurrentSettingsSource } from '../../../../settings/run-time-settings.ts';
import { type AccountLock, accountKeys, createAccountLock, type HashKey } from './account-lock.ts';

export interface LoginAttempt {
  /** The normalized email, or the id of a credential whose second factor is checked. */
  readonly accountKey: string;
  readonly clientIp: string;
  /** Returns when this account first logged in from this network; null: never. Otherwise it is not locked out there. */
  readonly findFirstLogin: (network: string) => Promise<number | null>;
}

/** Origin of an admitted attempt. */
export interface AttemptNetwork {
  /** A keyed hash of the network, by which the account knows it. */
  readonly network: string;
  /** When the account first logged in from it; null if it never has. */
  readonly firstLoginAt: number | null;
}

export interface LoginGuard extends AccountLock {
  /**
   * Runs `verify` if the attempt is admitted. `verify` returns when the password or code was right and throws
   * `invalid_login` or `invalid_totp_code` when it was wrong. @throws Problem too_many_requests, without naming the limit
   */
  run<T>(attempt: LoginAttempt, verify: (network: AttemptNetwork) => Promise<T>): Promise<T>;
  /** Deletes the failures of an account whose owner has proved access to its email, from anywhere and from here. */
  resetFailures(account: Pick<LoginAttempt, 'accountKey' | 'clientIp'>): Promise<void>;
}

/** `hash` is applied to accounts and networks before they are stored. */
export function createLoginGuard(
  settings: CurrentSettingsSource,
  failedAttempts: FailedAttemptLimits,
  hash: HashKey,
): LoginGuard {
  const getRules = createRules(settings);
  const forget = async ({ pair, account }: AttemptKeys) => {
    await Promise.allSettled([failedAttempts.forget(pair), failedAttempts.forget(account)]);
  };
  return {
    run(attempt, verify) {
      const keys = attemptKeys(attempt, hash);
      const { rules, semaphore } = getRules();
      return semaphore(keys.pair, () =>
        countAttempts(failedAttempts, async (count) => {
          const firstLoginAt = await rejectIfLimited({ rules, keys, attempt }, count);
          const result = await verify({ network: keys.network, firstLoginAt });
          // The login has succeeded: failing to forget earlier failures is no reason to reject it.
          await forget(keys);
          return result;
        }),
      );
    },
    resetFailures: (account) => forget(attemptKeys(account, hash)),
    ...createAccountLock(() => getRules().rules, failedAttempts, hash),
  };
}

/** The rules of one account from one network, and of one account from anywhere; null: no limit. */
interface LoginRules {
  readonly pair: FailedAttemptRule | null;
  readonly account: FailedAttemptRule | null;
}

/** Creates the function that returns values derived from the limits in force. */
function createRules(settings: CurrentSettingsSource) {
  const derive = (limits: Limits) => {
    const rules = loginRules(limits);
    // Attempts in progress count as failed. Fewer run at once than the limit admits, so that a client that logs in
    // many times in parallel with the right password waits instead of being rejected.
    const semaphore = createKeyedSemaphore(Math.max(1, (rules.pair?.limit ?? Infinity) - 1));
    return { limits, rules, semaphore };
  };
  let derived = derive(settings.current.limits);
  return () => {
    const { limits } = settings.current;
    if (limits !== derived.limits) derived = derive(limits);
    return derived;
  };
}

function loginRules(limits: Limits): LoginRules {
  const { 'login-fail': pair, 'login-account': account } = limits;
  return { pair: pair && pairRule(pair), account: account && accountRule(account) };
}

const MAX_WAIT_MS = 15 * MINUTE;
const ACCOUNT_FORGET_MS = 30 * DAY;

/** After `limit` failures, waits of 1, 2, 4 … seconds up to 15 minutes. */
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

/** After `limit` failures in a row, one attempt per window until a login succeeds. */
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

type AttemptKeys = ReturnType<typeof attemptKeys>;

function attemptKeys({ accountKey, clientIp }: Pick<LoginAttempt, 'accountKey' | 'clientIp'>, hash: HashKey) {
  const network = hash(`network:${getNetwork(clientIp)}`);
  const { account, pairs } = accountKeys({ accountKey, networks: [network] }, hash);
  return { network, account, pair: pairs[0]! };
}

type Count = (key: string, rule: FailedAttemptRule) => Promise<AttemptDecision>;

interface LimitedAttempt {
  readonly rules: LoginRules;
  readonly keys: AttemptKeys;
  readonly attempt: LoginAttempt;
}

/**
 * Returns when the account first logged in from the network, or null. From then on the account is never locked out
 * there: only those who know its password can achieve that, so it needs no day to pass (decision 0012).
 * @throws Problem too_many_requests
 */
async function rejectIfLimited(
  { rules, keys, attempt }: LimitedAttempt,
  count: Count,
): Promise<number | null> {
  if (rules.pair !== null) rejectUnlessAdmitted(await count(keys.pair, rules.pair));
  const firstLoginAt = await attempt.findFirstLogin(keys.network);
  if (rules.account === null) return firstLoginAt;
  // Counted from such networks too, which it never rejects.
  const decision = await count(keys.account, rules.account);
  if (firstLoginAt === null) rejectUnlessAdmitted(decision);
  return firstLoginAt;
}

function rejectUnlessAdmitted({ admitted, retryAfterSeconds }: AttemptDecision): void {
  if (!admitted) throw new Problem('too_many_requests', { retryAfterSeconds });
}

/** Runs `work`, and undoes its counts if it fails for another reason than a wrong password or code. */
async function countAttempts<T>(
  failedAttempts: FailedAttemptLimits,
  work: (count: Count) => Promise<T>,
): Promise<T> {
  const counted: AttemptDecision[] = [];
  try {
    return await work(async (key, rule) => {
      const decision = await failedAttempts.attempt(key, rule);
      if (decision.admitted) counted.push(decision);
      return decision;
    });
  } catch (error) {
    if (!isWrong(error)) await Promise.allSettled(counted.map((attempt) => attempt.undo()));
    throw error;
  }
}

const WRONG: readonly ProblemCode[] = ['invalid_login', 'invalid_totp_code'];

function isWrong(error: unknown): boolean {
  return error instanceof Problem && WRONG.includes(error.code);
}

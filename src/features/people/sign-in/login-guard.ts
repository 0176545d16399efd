/**
 * Slows down guessing of passwords and codes at the login, without revealing anything about the account: responses are the same whether or not it exists (OWASP Credential Stuffing Cheat Sheet; NIST SP
 * 800-63B-4 section 3.2.2).
 */
import { LRUCache } from 'lru-cache';
import type { FailedAttemptRule } from '../../../database/shared-limits.ts';
import { maxEntries } from '../../../lib/max-entries.ts';
import { getNetwork } from '../../../lib/network.ts';
import { createKeyedSemaphore } from '../../../lib/queues/shared-work.ts';
import { DAY, MINUTE } from '../../../lib/time.ts';
import { Problem, type ProblemCode } from '../../../problems/problem.ts';
import type { AttemptDecision, FailedAttemptLimits } from '../../../rate-limits/failed-attempts.ts';
import type { Quota } from '../../../rate-limits/gcra.ts';
import type { Limits } from '../../../rate-limits/limits.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';

interface AttemptedAccount {
  /** The normalized email. */
  readonly accountKey: string;
  readonly clientIp: string;
}

interface LoginAttempt extends AttemptedAccount {
  /** Returns when this account first logged in from this network; null: never. Otherwise it is not locked out there. */
  readonly findFirstLogin: (network: string) => Promise<number | null>;
}

/** Origin of an admitted attempt. */
interface AttemptNetwork {
  /** A keyed hash of the network, by which the account knows it. */
  readonly network: string;
  /** When the account first logged in from it; null if it never has. */
  readonly firstLoginAt: number | null;
}

export interface LoginGuard {
  /**
   * Runs `verify` if the attempt is admitted. `verify` returns when the password or code was right and throws
   * `invalid_login` or `invalid_totp_code` when it was wrong. @throws Problem too_many_requests, without naming the limit
   */
  run<T>(attempt: LoginAttempt, verify: (network: AttemptNetwork) => Promise<T>): Promise<T>;
  /** Deletes the failures of an account whose owner has proved access to its email, from anywhere and from here. */
  resetFailures(account: AttemptedAccount): Promise<void>;
  /** Returns the milliseconds until logins of the account are admitted from anywhere and each network; 0: they are. */
  findWait(accountKey: string): Promise<number>;
  unlock(accountKey: string): Promise<void>;
  /** Returns the keyed hash of the network of a client, for sign-ins without an attempt to guess. */
  hashNetwork(clientIp: string): string;
}

/** Applied to accounts and networks before they are stored. */
type HashKey = (text: string) => string;
type Rule = FailedAttemptRule | null;

export function createLoginGuard(
  settings: CurrentSettingsSource,
  failedAttempts: FailedAttemptLimits,
  hash: HashKey,
): LoginGuard {
  const getRules = createRules(settings);
  const forget = (keys: readonly string[]) => keys.map((key) => failedAttempts.forget(key));
  const findWait = (prefix: string, rule: Rule) => (rule ? failedAttempts.findWait(prefix, rule) : 0);
  return {
    run(attempt, verify) {
      const keys = toAttemptKeys(attempt, hash);
      const rules = getRules();
      return rules.semaphore(keys.pair, () =>
        countAttempts(failedAttempts, async (count) => {
          if (rules.pair !== null) rejectUnlessAdmitted(await count(keys.pair, rules.pair));
          const firstLoginAt = await attempt.findFirstLogin(keys.network);
          if (rules.account !== null) {
            // From its first login on, the account is never locked out in a network: only those who know its password
            // can achieve that, so it needs no day to pass (decision 0012). Attempts from there are counted too.
            const decision = await count(keys.account, rules.account);
            if (firstLoginAt === null) rejectUnlessAdmitted(decision);
          }
          const result = await verify({ network: keys.network, firstLoginAt });
          // The login has succeeded: failing to forget earlier failures is no reason to reject it.
          await Promise.allSettled(forget([keys.pair, keys.account]));
          return result;
        }),
      );
    },
    async resetFailures(attempted) {
      const { pair, account } = toAttemptKeys(attempted, hash);
      await Promise.allSettled(forget([pair, account]));
    },
    async findWait(accountKey) {
      const account = hash(`account:${accountKey}`);
      const rules = getRules();
      const waits = [findWait(account, rules.account), findWait(toPairKey(account), rules.pair)];
      return Math.max(...(await Promise.all(waits)));
    },
    unlock: (accountKey) => failedAttempts.forgetBelow(hash(`account:${accountKey}`)),
    hashNetwork: (clientIp) => toAttemptKeys({ accountKey: '', clientIp }, hash).network,
  };
}

/** The keys of all networks of an account begin with that of the account, so that a lock from any of them is found. */
const toPairKey = (account: string, network = '') => `${account}.${network}`;

/** Returns the keys under which an attempt is counted: of the account from anywhere, and from the network. */
function toAttemptKeys({ accountKey, clientIp }: AttemptedAccount, hash: HashKey) {
  const network = hash(`network:${getNetwork(clientIp)}`);
  const account = hash(`account:${accountKey}`);
  return { network, account, pair: toPairKey(account, network) };
}

function rejectUnlessAdmitted({ admitted, retryAfterSeconds }: AttemptDecision): void {
  if (!admitted) throw new Problem('too_many_requests', { retryAfterSeconds });
}

/** Runs `work`, and undoes its counts if it fails for another reason than a wrong password or code. */
async function countAttempts<T>(
  failedAttempts: FailedAttemptLimits,
  work: (count: FailedAttemptLimits['attempt']) => Promise<T>,
): Promise<T> {
  const counted: AttemptDecision[] = [];
  try {
    return await work(async (key, rule) => {
      const decision = await failedAttempts.attempt(key, rule);
      if (decision.admitted) counted.push(decision);
      return decision;
    });
  } catch (error) {
    const isWrong = error instanceof Problem && WRONG.includes(error.code);
    if (!isWrong) await Promise.allSettled(counted.map((attempt) => attempt.undo()));
    throw error;
  }
}

const WRONG: readonly ProblemCode[] = ['invalid_login', 'invalid_totp_code'];

const MAX_ACCOUNTS = 10_000;

export type LimitedLogins = ReturnType<typeof createLimitedLogins>;

export function createLimitedLogins() {
  const recorded = new LRUCache<string, true>({ ...maxEntries(MAX_ACCOUNTS), ttl: MINUTE });
  return {
    /** Returns true once per minute for each account. */
    shouldRecord(emailKey: string): boolean {
      if (recorded.has(emailKey)) return false;
      recorded.set(emailKey, true);
      return true;
    },
  };
}

/** Returns the function that derives the rules and the semaphore from the limits in force. */
function createRules(settings: CurrentSettingsSource) {
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

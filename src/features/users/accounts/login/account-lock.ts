/** Locks of accounts after failed logins, which the administrator sees and ends. */
import type { FailedAttemptRule } from '../../../../database/shared-limits.ts';
import type { FailedAttemptLimits } from '../../../../rate-limits/failed-attempts.ts';

/** Applied to accounts and networks before they are stored. */
export type HashKey = (text: string) => string;

/** Returns the keys under which attempts at an account are counted: from anywhere, and from each of the networks, which are hashed already. */
export function accountKeys({ accountKey, networks }: LockableAccount, hash: HashKey) {
  const account = hash(`account:${accountKey}`);
  return { account, pairs: networks.map((network) => hash(`pair:${account}:${network}`)) };
}

export interface LockableAccount {
  readonly accountKey: string;
  /** Keyed hashes of networks that the account knows. Waits of other networks concern whoever is there. */
  readonly networks: readonly string[];
}

export interface AccountLock {
  /** Returns the milliseconds until logins are admitted from anywhere and from all of the networks; 0: they are. */
  findWait(account: LockableAccount): Promise<number>;
  /** Deletes the failures that cause such a wait. */
  unlock(account: LockableAccount): Promise<void>;
}

type Rule = FailedAttemptRule | null;

export function createAccountLock(
  getRules: () => { readonly account: Rule; readonly pair: Rule },
  failedAttempts: Pick<FailedAttemptLimits, 'findWait' | 'forget'>,
  hash: HashKey,
): AccountLock {
  const findWait = async (key: string, rule: Rule) =>
    rule === null ? 0 : failedAttempts.findWait(key, rule);
  return {
    async findWait(locked) {
      const { account, pairs } = accountKeys(locked, hash);
      const rules = getRules();
      const waits = [findWait(account, rules.account), ...pairs.map((pair) => findWait(pair, rules.pair))];
      return Math.max(...(await Promise.all(waits)));
    },
    async unlock(locked) {
      const { account, pairs } = accountKeys(locked, hash);
      await Promise.all([account, ...pairs].map((key) => failedAttempts.forget(key)));
    },
  };
}

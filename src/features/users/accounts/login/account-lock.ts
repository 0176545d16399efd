/** Locks of accounts after failed logins, as the administrator sees and ends them. */
import type { FailedAttemptRule } from '../../../../database/shared-limits.ts';
import type { FailedAttemptLimits } from '../../../../rate-limits/failed-attempts.ts';
import { accountKeys, type HashKey } from './attempt-keys.ts';

export interface LockableAccount {
  readonly accountKey: string;
  /** Keyed hashes of the networks that the account knows. Waits of other networks concern whoever is there. */
  readonly networks: readonly string[];
}

export interface AccountLock {
  /** Returns the milliseconds until logins are admitted from anywhere and from all of the networks; 0: they are. */
  findWait(account: LockableAccount): Promise<number>;
  /** Deletes the failures that cause such a wait. */
  unlock(account: LockableAccount): Promise<void>;
}

type Rule = FailedAttemptRule | null;

/** Creates the lock of accounts by the rules in force. */
export function createAccountLock(
  getRules: () => { readonly account: Rule; readonly pair: Rule },
  failedAttempts: Pick<FailedAttemptLimits, 'findWait' | 'forget'>,
  hash: HashKey,
): AccountLock {
  const listKeys = ({ accountKey, networks }: LockableAccount) => {
    const { account } = accountKeys({ accountKey, network: '' }, hash);
    const pairs = networks.map((network) => accountKeys({ accountKey, network }, hash).pair);
    return { account, pairs };
  };
  const findWait = async (key: string, rule: Rule) =>
    rule === null ? 0 : failedAttempts.findWait(key, rule);
  return {
    async findWait(locked) {
      const { account, pairs } = listKeys(locked);
      const rules = getRules();
      const waits = [findWait(account, rules.account), ...pairs.map((pair) => findWait(pair, rules.pair))];
      return Math.max(...(await Promise.all(waits)));
    },
    async unlock(locked) {
      const { account, pairs } = listKeys(locked);
      await Promise.all([account, ...pairs].map((key) => failedAttempts.forget(key)));
    },
  };
}

/** Decides which rejected logins are recorded while an account is locked: a flood of them must not cost writes. */
import { LRUCache } from 'lru-cache';
import { MINUTE } from '../../../lib/time.ts';

const MAX_ACCOUNTS = 10_000;

export interface LimitedLogins {
  /** Returns true once per minute for each account. */
  shouldRecord(emailKey: string): boolean;
}

export function createLimitedLogins(): LimitedLogins {
  const recorded = new LRUCache<string, true>({ max: MAX_ACCOUNTS, ttl: MINUTE });
  return {
    shouldRecord(emailKey) {
      if (recorded.has(emailKey)) return false;
      recorded.set(emailKey, true);
      return true;
    },
  };
}

/** Codes that people type from a device (RFC 8628 section 6.1), and the limit on wrong ones. */
import { randomInt } from 'node:crypto';
import { getNetwork } from '../../../lib/network.ts';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { normalizeTypedCode } from '../../../lib/text/text.ts';
import { Problem } from '../../../problems/problem.ts';
import type { FailedAttemptLimits } from '../../../rate-limits/failed-attempts.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';

/** Letters that nobody confuses, without vowels: no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const GROUP = 4;

/** Returns a random code of two groups of letters: 34 bits. */
export function createUserCode(): string {
  const letters = Array.from({ length: 2 * GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return formatUserCode(letters);
}

/** Returns a code as devices show it, however it was typed. One that is too long stays so, and fits into a URL. */
export function formatUserCode(typed: string): string {
  const letters = normalizeTypedCode(typed);
  return `${letters.slice(0, GROUP)}-${letters.slice(GROUP, 3 * GROUP)}`;
}

export interface UserCodeDeps {
  readonly secretKey: string;
  readonly settings: CurrentSettingsSource;
  readonly failedAttempts: FailedAttemptLimits;
}

export type UserCodes = ReturnType<typeof createUserCodes>;

export function createUserCodes({ secretKey, settings, failedAttempts }: UserCodeDeps) {
  const hash = createKeyedHash(secretKey, 'user-codes');
  return {
    /** Returns the hash under which a code is stored, however it was typed. */
    hash: (code: string): string => hash(normalizeTypedCode(code)),
    /**
     * Returns what `find` does. Undefined counts as a wrong code of the network: from the limit on, none is tried for its
     * time. @throws Problem too_many_requests
     */
    async guard<T>(clientIp: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
      const quota = settings.current.limits['device-code'];
      if (quota === null) return find();
      const windowMs = quota.windowSeconds * 1000;
      const waits = { firstWaitMs: windowMs, growth: 1, maxWaitMs: windowMs };
      const rule = { limit: quota.limit, forgetAfterMs: windowMs, forgetPenaltyAfterMs: 0, ...waits };
      // Counted before the search, so that requests at the same time do not get more tries.
      const attempt = await failedAttempts.attempt(hash(`network:${getNetwork(clientIp)}`), rule);
      if (!attempt.admitted)
        throw new Problem('too_many_requests', { retryAfterSeconds: attempt.retryAfterSeconds });
      let isWrong = false;
      try {
        const found = await find();
        isWrong = found === undefined;
        return found;
      } finally {
        if (!isWrong) await attempt.undo();
      }
    },
  };
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock } from '../../../../test/support/limits.ts';
import { useService } from '../../../../test/support/service.ts';
import { readCurrentSettings } from '../../../../test/support/settings.ts';
import { createKeyedHash } from '../../../lib/secrets/encryption.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { createFailedAttemptLimits } from '../../../rate-limits/failed-attempts.ts';
import { createLoginGuard } from './login-guard.ts';

describe('a blocked account during a flood of attempts on unknown addresses', () => {
  const service = useService('sqlite');

  /** Attempts with a wrong password; those of `unprocessed` end with 503. */
  function guardAt(clock: () => number) {
    const failedAttempts = createFailedAttemptLimits(service.database, clock);
    const guard = createLoginGuard(
      { current: readCurrentSettings() },
      failedAttempts,
      createKeyedHash('a'.repeat(32), 'test'),
    );
    return async (accountKey: string, clientIp: string, outcome: 'wrong' | 'unprocessed' = 'wrong') => {
      const attempt = { accountKey, clientIp, findFirstLogin: async () => null };
      const code = outcome === 'wrong' ? 'invalid_login' : 'service_unavailable';
      const verify = async () => {
        throw new Problem(code);
      };
      return guard.run(attempt, verify).then(
        () => assert.fail('the password was right'),
        (error: Problem) => error.code,
      );
    };
  }

  test('a blocked account stays blocked during a flood of attempts on unknown addresses, as long as its waits last', async () => {
    const clock = manualClock(0);
    const attempt = guardAt(clock);
    for (let failure = 0; failure < 15; failure++) {
      assert.equal(await attempt('pair@example.com', '192.0.2.1'), 'invalid_login');
      if (failure < 14) clock.now += 1000 * 2 ** Math.max(0, failure - 4);
    }
    for (let failure = 0; failure < 100; failure++) {
      assert.equal(await attempt('account@example.com', `198.51.100.${failure}`), 'invalid_login');
    }
    const isBlocked = async () => {
      const codes = [
        await attempt('pair@example.com', '192.0.2.1'),
        await attempt('account@example.com', '192.0.2.1'),
      ];
      assert.deepEqual(codes, ['too_many_requests', 'too_many_requests']);
    };
    for (let index = 0; index < 90_000; index++) {
      const outcome = index % 3 === 0 ? 'unprocessed' : 'wrong';
      await attempt(`invented ${index}`, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, outcome);
      if (index % 10_000 === 0) await isBlocked();
    }
    clock.now += 15 * MINUTE - 1;
    await isBlocked();
    clock.now += 1;
    assert.equal(await attempt('pair@example.com', '192.0.2.1'), 'invalid_login');
    clock.now += HOUR - 15 * MINUTE;
    assert.equal(await attempt('account@example.com', '192.0.2.1'), 'invalid_login');
  });
});

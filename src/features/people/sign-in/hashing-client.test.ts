import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../../../lib/time.ts';
import { getAttemptClient } from './hashing-client.ts';

const ORIGIN = { userId: 'user', clientIp: '2001:db8:66:77::1', now: 10 * DAY };
const NETWORK = '2001:db8:66::/48';

describe('the client of a login attempt', () => {
  test('the client of a login is known by its account from a day after the first login from the network', () => {
    const client = getAttemptClient({ ...ORIGIN, firstLoginAt: 9 * DAY });
    assert.deepEqual(client, { network: NETWORK, account: 'user' });
  });

  test('the client of a login is unknown before the first login, during the first day, and without an account', () => {
    const unknown = [
      { ...ORIGIN, firstLoginAt: null },
      { ...ORIGIN, firstLoginAt: 9 * DAY + 1 },
      { ...ORIGIN, userId: null, firstLoginAt: null },
    ];
    for (const origin of unknown) {
      assert.deepEqual(getAttemptClient(origin), { network: NETWORK, account: null });
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import {
  assertNoLimitFields,
  fromIp,
  limited,
  manualClock,
  newClientIp,
} from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, type TestService, useService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';

const WRONG = 'a wrong password';
/** Without the limits per network, which would reject so many attempts. */
const guarded = (options = {}) => limited({ RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_REGISTER: 'off' }, options);

function logIn(service: TestService, email: string, password: string, address: string): Promise<ApiResponse> {
  return service.api.post('/api/login', { email, password }, fromIp(address));
}

/** Returns status and Retry-After. */
function seen({ status, headers }: ApiResponse): [number, number | null] {
  const retryAfter = headers.get('retry-after');
  return [status, retryAfter === null ? null : Number(retryAfter)];
}

describe('failed logins of one account from one network', () => {
  const clock = manualClock();
  const service = useService('sqlite', guarded({ clock }));
  const fail = (email: string, address: string) => logIn(service, email, WRONG, address);

  async function failTimes(times: number, email: string, address: string): Promise<void> {
    for (let attempt = 0; attempt < times; attempt++) assert.equal((await fail(email, address)).status, 401);
  }

  test('failed logins are admitted five times, then after waits of 1, 2, 4 \u2026 seconds, at most 15 minutes', async () => {
    const [{ email }, address] = [newUserData(), newClientIp()];
    await failTimes(5, email, address);
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      assert.deepEqual(seen(await fail(email, address)), [429, seconds]);
      clock.now += seconds * 1000 - 1;
      assert.deepEqual(seen(await fail(email, address)), [429, 1]);
      clock.now += 1;
      assert.equal((await fail(email, address)).status, 401);
    }
  });

  test('rejected logins do not extend the wait, and the right password waits like any other', async () => {
    const [{ email, password }, address] = [await register(service), newClientIp()];
    await failTimes(5, email, address);
    for (let attempt = 0; attempt < 10; attempt++) {
      assert.deepEqual(seen(await logIn(service, email, password, address)), [429, 1]);
    }
    clock.now += 1000;
    assert.equal((await logIn(service, email, password, address)).status, 200);
  });

  test('failed logins are forgotten after a login with the right password', async () => {
    const [{ email, password }, address] = [await register(service), newClientIp()];
    for (let round = 0; round < 3; round++) {
      await failTimes(4, email, address);
      assert.equal((await logIn(service, email, password, address)).status, 200);
    }
    await failTimes(5, email, address);
    assert.equal((await fail(email, address)).status, 429);
  });

  test('failed logins are forgotten after a minute, from the limit on 15 minutes after the wait', async () => {
    const [{ email }, address] = [newUserData(), newClientIp()];
    await failTimes(4, email, address);
    clock.now += MINUTE;
    await failTimes(5, email, address);
    assert.equal((await fail(email, address)).status, 429);
    clock.now += 1000 + 15 * MINUTE;
    await failTimes(5, email, address);
    assert.equal((await fail(email, address)).status, 429);
  });

  test('failed logins count per account and network, whatever the case and spaces of the address', async () => {
    const [{ email }, address] = [newUserData(), newClientIp()];
    await failTimes(5, email, address);
    assert.equal((await fail(` ${email.toUpperCase()}`, address)).status, 429);
    assert.equal((await fail(newUserData().email, address)).status, 401);
    assert.equal((await fail(email, newClientIp())).status, 401);
  });
});

describeOnSqlite('the response to a login', (engine) => {
  const service = useService(engine, guarded());

  test('the login response is the same for twenty wrong passwords of a known and an unknown address', async () => {
    const [known, unknown] = [await register(service), newUserData()];
    const script = async (email: string, address: string) => {
      const responses = [];
      for (let attempt = 0; attempt < 20; attempt++) {
        const { status, headers, text } = await logIn(service, email, WRONG, address);
        const same = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
        responses.push({ status, headers: same, text });
      }
      return responses;
    };
    const responses = await script(known.email, newClientIp());
    assert.deepEqual(await script(unknown.email, newClientIp()), responses);
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([401, 429]));
  });

  test('the login response names no limit, in neither header nor body', async () => {
    const [{ email }, address] = [newUserData(), newClientIp()];
    for (let attempt = 0; attempt < 6; attempt++) {
      const { status, headers, body } = await logIn(service, email, WRONG, address);
      assertNoLimitFields(headers);
      if (attempt < 5) assert.deepEqual([status, headers.get('retry-after')], [401, null]);
      else assert.deepEqual(body, { error: 'Too many requests', code: 'too_many_requests' });
    }
  });
});

const ROWS = sql<{ count: number }>('select count(*) as count from failed_attempts');

describeOnSqlite('logins that cannot be processed', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_LOGIN: 'off' }));

  test('logins that cannot be processed leave no row of failed attempts, and no failure of the address', async () => {
    const { database } = service;
    const { email, password } = await register(service);
    const clientIp = newClientIp();
    const logIn = async (sent: string) =>
      (await service.api.post('/api/login', { email, password: sent }, fromIp(clientIp))).status;
    const rename = (from: string, to: string) =>
      database.transaction((tx) => tx.run(sql(`alter table ${from} rename to ${to}`)));
    // The table is written after the password was verified, the other one is read between the two counters.
    for (const table of ['tokens', 'known_networks']) {
      await rename(table, 'away');
      for (let attempt = 0; attempt < 8; attempt++) assert.equal(await logIn(password), 500);
      await rename('away', table);
      assert.equal((await database.get(ROWS))!.count, 0);
    }
    for (let attempt = 0; attempt < 5; attempt++) assert.equal(await logIn('a wrong password'), 401);
    assert.equal(await logIn(password), 429);
  });
});

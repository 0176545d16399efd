import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse } from '../../../../test/support/api.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../../test/support/limits.ts';
import { pluck } from '../../../../test/support/pluck.ts';
import { createTestDatabase, describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import {
  admin,
  newUserData,
  startService,
  type TestService,
  useService,
} from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { HOUR } from '../../../lib/time.ts';

const WRONG = 'a wrong password';
const FEW = 8;
const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_REGISTER: 'off', RATE_LIMIT_ANON: 'off' };

function logIn(service: TestService, email: string, password: string, address: string): Promise<ApiResponse> {
  return service.api.post('/api/login', { email, password }, fromIp(address));
}

/** Sends each attempt from another network, so that only the limit of the account counts them. */
async function failFromEverywhere(service: TestService, email: string, times: number): Promise<number[]> {
  const attempts = Array.from({ length: times }, () => logIn(service, email, WRONG, newClientIp()));
  return (await Promise.all(attempts)).map(({ status }) => status);
}

const retryAfter = ({ headers }: ApiResponse) => Number(headers.get('retry-after'));

describeOnSqlite('an account with failed logins from many networks', (engine) => {
  const service = useService(engine, limited({ ...off, RATE_LIMIT_LOGIN_ACCOUNT: `${FEW}/3600` }));
  const owner = async () => {
    const person = await register(service);
    const home = newClientIp();
    assert.equal((await logIn(service, person.email, person.password, home)).status, 200);
    return { ...person, home };
  };

  test('an attacked account is locked for unknown networks, also with the right password, and open to a known one', async () => {
    const { email, password, home } = await owner();
    assert.deepEqual(await failFromEverywhere(service, email, FEW), Array(FEW).fill(401));
    const unknownNetwork = await logIn(service, email, password, newClientIp());
    assert.equal(unknownNetwork.status, 429);
    assert.equal(unknownNetwork.body.code, 'too_many_requests');
    assert.ok(retryAfter(unknownNetwork) > 3500 && retryAfter(unknownNetwork) <= 3600);
    assert.equal((await logIn(service, email, WRONG, home)).status, 401);
    assert.equal((await logIn(service, email, password, home)).status, 200);
  });

  test('rejected logins are not counted against the network that sent them', async () => {
    const { email, password } = await owner();
    await failFromEverywhere(service, email, FEW);
    const address = newClientIp();
    for (let attempt = 0; attempt < 8; attempt++) {
      const { status, headers } = await logIn(service, email, password, address);
      assert.equal(status, 429);
      assert.ok(Number(headers.get('retry-after')) > 3500);
    }
  });

  test('an attacked account stays locked for unknown networks when a login of the owner fails with 500', async () => {
    const { email, password, home } = await owner();
    await failFromEverywhere(service, email, FEW);
    const rename = (one: string, other: string) =>
      service.database.transaction((tx) => tx.run(sql(`alter table ${one} rename to ${other}`)));
    await rename('tokens', 'tokens_away');
    assert.equal((await logIn(service, email, password, home)).status, 500);
    await rename('tokens_away', 'tokens');
    assert.equal((await logIn(service, email, WRONG, newClientIp())).status, 429);
  });

  test('an attacked account is open to all networks again after a login has succeeded', async () => {
    const { email, password, home } = await owner();
    await failFromEverywhere(service, email, FEW);
    assert.equal((await logIn(service, email, password, newClientIp())).status, 429);
    assert.equal((await logIn(service, email, password, home)).status, 200);
    assert.equal((await logIn(service, email, password, newClientIp())).status, 200);
    assert.deepEqual(await failFromEverywhere(service, email, FEW), Array(FEW).fill(401));
  });

  test('a network is known to one account only', async () => {
    const [one, other] = [await owner(), await owner()];
    await failFromEverywhere(service, one.email, FEW);
    assert.equal((await logIn(service, one.email, one.password, other.home)).status, 429);
    assert.equal((await logIn(service, other.email, other.password, other.home)).status, 200);
  });

  test('an address under attack is locked in the same way whether or not it has an account', async () => {
    const { email } = newUserData();
    const known = await owner();
    for (const address of [email, known.email]) {
      assert.deepEqual(await failFromEverywhere(service, address, FEW), Array(FEW).fill(401));
      const rejected = await logIn(service, address, WRONG, newClientIp());
      assert.equal(rejected.status, 429);
      assert.ok(retryAfter(rejected) > 3500 && retryAfter(rejected) <= 3600);
    }
  });

  test('thirty concurrent attempts on an account are admitted no more often than sequential ones', async () => {
    const { email } = newUserData();
    const statuses = await failFromEverywhere(service, email, 30);
    assert.equal(statuses.filter((status) => status === 401).length, FEW);
    assert.equal(statuses.filter((status) => status === 429).length, 30 - FEW);
  });
});

describe('an account with failed logins from many networks for hours', () => {
  const clock = manualClock();
  const service = useService('sqlite', limited({ ...off }, { clock }));

  test('an account with a hundred failed logins admits one attempt an hour from unknown networks', async () => {
    const { email, password } = newUserData();
    await register(service, { ...newUserData(), email, password });
    const statuses = await failFromEverywhere(service, email, 120);
    assert.equal(statuses.filter((status) => status === 401).length, 100);
    for (let hour = 0; hour < 3; hour++) {
      clock.now += HOUR - 1;
      assert.equal((await logIn(service, email, WRONG, newClientIp())).status, 429);
      clock.now += 1;
      const statuses = await failFromEverywhere(service, email, 10);
      assert.deepEqual(statuses.sort(), [401, ...Array(9).fill(429)]);
    }
    clock.now += HOUR;
    assert.equal((await logIn(service, email, password, newClientIp())).status, 200);
    assert.deepEqual(await failFromEverywhere(service, email, 3), [401, 401, 401]);
  });
});

describeOnSqlite('concurrent logins', (engine) => {
  test('thirty concurrent logins from one unknown network all succeed with the right password', async () => {
    const service = await startService(engine, limited(off));
    const { email, password } = await register(service);
    const address = newClientIp();
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => logIn(service, email, password, address)),
    );
    assert.deepEqual(pluck(responses, 'status'), Array(30).fill(200));
    await service.stop();
  });

  test('concurrent logins with a wrong password are admitted up to the limit, and only those count as failures', async () => {
    const testDatabase = await createTestDatabase(engine);
    const options = { ...limited(off), testDatabase };
    const service = await startService(engine, options);
    const { email } = await register(service);
    const address = newClientIp();
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => logIn(service, email, WRONG, address)),
    );
    const tried = responses.filter(({ status }) => status === 401).length;
    assert.equal(responses.filter(({ status }) => status === 429).length, 30 - tried);
    assert.equal(tried, 5);
    await service.stop();
    const next = await startService(engine, options);
    const { body } = await next.api.get('/api/v1/admin/dashboard', admin);
    assert.equal(body.data.failed_logins_24h, tried);
    await next.stop();
    await testDatabase.remove();
  });
});

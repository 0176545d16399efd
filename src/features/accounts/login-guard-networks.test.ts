import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse } from '../../../test/support/api.ts';
import { createTestDatabase, describeOnEachEngine } from '../../../test/support/engines.ts';
import { from, limited, manualClock, newAddress } from '../../../test/support/limits.ts';
import { register } from '../../../test/support/people.ts';
import {
  ADMIN_TOKEN,
  newPerson,
  startService,
  type TestService,
  useService,
} from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';
import { HOUR } from '../../lib/clock.ts';

const WRONG = 'a wrong password';
const FEW = 8;
const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_REGISTER: 'off', RATE_LIMIT_ANON: 'off' };

function logIn(service: TestService, email: string, password: string, address: string): Promise<ApiResponse> {
  return service.api.post('/api/login', { email, password }, from(address));
}

/** Each attempt from a network of its own, so that only the limit of the account counts. */
async function failFromEverywhere(service: TestService, email: string, times: number): Promise<number[]> {
  const attempts = Array.from({ length: times }, () => logIn(service, email, WRONG, newAddress()));
  return (await Promise.all(attempts)).map(({ status }) => status);
}

const retryAfter = ({ headers }: ApiResponse) => Number(headers.get('retry-after'));

describeOnEachEngine('an account that is guessed at from everywhere', (engine) => {
  const service = useService(engine, limited({ ...off, RATE_LIMIT_LOGIN_ACCOUNT: `${FEW}/3600` }));
  const owner = async () => {
    const person = await register(service);
    const home = newAddress();
    assert.equal((await logIn(service, person.email, person.password, home)).status, 200);
    return { ...person, home };
  };

  test('is closed to strangers, also with the right password, and open to a network it was used from', async () => {
    const { email, password, home } = await owner();
    assert.deepEqual(await failFromEverywhere(service, email, FEW), Array(FEW).fill(401));
    const stranger = await logIn(service, email, password, newAddress());
    assert.equal(stranger.status, 429);
    assert.equal(stranger.body.code, 'too_many_requests');
    assert.ok(retryAfter(stranger) > 3500 && retryAfter(stranger) <= 3600);
    assert.equal((await logIn(service, email, WRONG, home)).status, 401);
    assert.equal((await logIn(service, email, password, home)).status, 200);
  });

  test('does not count what it refuses against the network that asked', async () => {
    const { email, password } = await owner();
    await failFromEverywhere(service, email, FEW);
    const address = newAddress();
    for (let attempt = 0; attempt < 8; attempt++) {
      const { status, headers } = await logIn(service, email, password, address);
      assert.equal(status, 429);
      assert.ok(Number(headers.get('retry-after')) > 3500);
    }
  });

  test('stays closed to strangers when the service fails the owner', async () => {
    const { email, password, home } = await owner();
    await failFromEverywhere(service, email, FEW);
    const rename = (one: string, other: string) =>
      service.service.database.transaction((tx) => tx.run(sql(`alter table ${one} rename to ${other}`)));
    await rename('tokens', 'tokens_away');
    assert.equal((await logIn(service, email, password, home)).status, 500);
    await rename('tokens_away', 'tokens');
    assert.equal((await logIn(service, email, WRONG, newAddress())).status, 429);
  });

  test('is open to all again once somebody has got in', async () => {
    const { email, password, home } = await owner();
    await failFromEverywhere(service, email, FEW);
    assert.equal((await logIn(service, email, password, newAddress())).status, 429);
    assert.equal((await logIn(service, email, password, home)).status, 200);
    assert.equal((await logIn(service, email, password, newAddress())).status, 200);
    assert.deepEqual(await failFromEverywhere(service, email, FEW), Array(FEW).fill(401));
  });

  test('is known by account and network: a home of one is a stranger to another', async () => {
    const [one, other] = [await owner(), await owner()];
    await failFromEverywhere(service, one.email, FEW);
    assert.equal((await logIn(service, one.email, one.password, other.home)).status, 429);
    assert.equal((await logIn(service, other.email, other.password, other.home)).status, 200);
  });

  test('an unknown address is closed in the same way', async () => {
    const { email } = newPerson();
    const known = await owner();
    for (const address of [email, known.email]) {
      assert.deepEqual(await failFromEverywhere(service, address, FEW), Array(FEW).fill(401));
      const refused = await logIn(service, address, WRONG, newAddress());
      assert.equal(refused.status, 429);
      assert.ok(retryAfter(refused) > 3500 && retryAfter(refused) <= 3600);
    }
  });

  test('thirty at once get no further than one by one', async () => {
    const { email } = newPerson();
    const statuses = await failFromEverywhere(service, email, 30);
    assert.equal(statuses.filter((status) => status === 401).length, FEW);
    assert.equal(statuses.filter((status) => status === 429).length, 30 - FEW);
  });
});

describe('an account that is guessed at from everywhere, for hours', () => {
  const clock = manualClock();
  const service = useService('sqlite', limited({ ...off }, { clock }));

  test('takes a hundred failures, then one stranger an hour, however many try', async () => {
    const { email, password } = newPerson();
    await register(service, { ...newPerson(), email, password });
    const statuses = await failFromEverywhere(service, email, 120);
    assert.equal(statuses.filter((status) => status === 401).length, 100);
    for (let hour = 0; hour < 3; hour++) {
      clock.now += HOUR - 1;
      assert.equal((await logIn(service, email, WRONG, newAddress())).status, 429);
      clock.now += 1;
      const statuses = await failFromEverywhere(service, email, 10);
      assert.deepEqual(statuses.sort(), [401, ...Array(9).fill(429)]);
    }
    clock.now += HOUR;
    assert.equal((await logIn(service, email, password, newAddress())).status, 200);
    assert.deepEqual(await failFromEverywhere(service, email, 3), [401, 401, 401]);
  });
});

describeOnEachEngine('logins at once', (engine) => {
  test('with the right password all get in, thirty from one network that is new', async () => {
    const service = await startService(engine, limited(off));
    const { email, password } = await register(service);
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => logIn(service, email, password, address)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(30).fill(200),
    );
    await service.stop();
  });

  test('with a wrong one no more are tried than are free, and those are the failures that count', async () => {
    const testDatabase = await createTestDatabase(engine);
    const options = { ...limited(off), testDatabase };
    const service = await startService(engine, options);
    const { email } = await register(service);
    const address = newAddress();
    const start = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => logIn(service, email, WRONG, address)),
    );
    const seconds = (performance.now() - start) / 1000;
    const tried = answers.filter(({ status }) => status === 401).length;
    assert.equal(answers.filter(({ status }) => status === 429).length, 30 - tried);
    // Should the machine be so slow that waits of 1, 2, 4 … seconds pass meanwhile, one more each.
    const most = 5 + Math.floor(Math.log2(seconds + 1));
    assert.ok(tried >= 5 && tried <= most, `${tried} in ${seconds} s`);
    await service.stop();
    const next = await startService(engine, options);
    const { body } = await next.api.get('/api/v1/admin/dashboard', { token: ADMIN_TOKEN });
    assert.equal(body.data.failed_logins_24h, tried);
    await next.stop();
    await testDatabase.remove();
  });
});

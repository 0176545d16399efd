import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { lockActiveUsers } from '../active-users/queries.ts';

const NOON = Date.UTC(2026, 2, 31, 12);
const LIFETIME_MS = 2_000;
const HIDE_COUNTERS = sql('alter table counters rename to counters_hidden');
const RESTORE_COUNTERS = sql('alter table counters_hidden rename to counters');

describeOnSqlite('the cache of the dashboard', (engine) => {
  const time = { now: NOON, elapsed: 0 };
  const service = useService(engine, { clock: () => time.now, monotonicClock: () => time.elapsed });
  const get = () => service.api.get('/api/v1/admin/dashboard', { token: ADMIN_TOKEN });
  beforeEach(() => {
    time.elapsed += LIFETIME_MS;
  });

  test('the dashboard has the same figures and generated_at for all requests within two seconds, also concurrent ones', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, get));
    time.now += 1;
    await insertTestUser(service.service.database);
    time.elapsed += LIFETIME_MS - 1;
    responses.push(await get());
    assert.deepEqual(new Set(responses.map(({ text }) => text)).size, 1);
    assert.equal(responses[0]!.body.data.generated_at, formatTimestamp(NOON));
    time.elapsed += 1;
    const { data } = (await get()).body;
    assert.equal(data.generated_at, formatTimestamp(NOON + 1));
    assert.equal(data.users.total, responses[0]!.body.data.users.total + 1);
  });

  test('the dashboard does not repeat a failure', async () => {
    const { database } = service.service;
    await database.transaction((tx) => tx.run(HIDE_COUNTERS));
    assert.equal((await get()).status, 500);
    await database.transaction((tx) => tx.run(RESTORE_COUNTERS));
    assert.equal((await get()).status, 200);
  });

  test('the dashboard does not wait for activity that cannot be written at once', async () => {
    const { database } = service.service;
    const { token } = await insertLoggedInUser(database, time.now);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 200);
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = database.transaction(async (tx) => {
      await lockActiveUsers(tx);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    assert.equal((await get()).body.data.active_users.today, 0);
    released.resolve();
    await holding;
    for (let active = 0; active !== 1; time.elapsed += LIFETIME_MS) {
      active = (await get()).body.data.active_users.today;
    }
  });
});

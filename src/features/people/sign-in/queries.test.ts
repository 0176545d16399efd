import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { findFirstLogin, storeNetwork } from './queries.ts';

describeStorage('the first login of a user from a network', (engine) => {
  const service = useSharedService(engine);
  const logIn = (userId: string, network: string, now: number) =>
    service.database.transaction((tx) => storeNetwork(tx, { userId, network, now }));
  const firstLogin = (userId: string, network: string) => findFirstLogin(service.database, userId, network);

  test('the time of the first login from a network is kept, and unknown for other networks and users', async () => {
    const [{ id }, other] = [await insertTestUser(service.database), await insertTestUser(service.database)];
    assert.equal(await firstLogin(id, 'home'), null);
    for (const now of [1_000, 2_000, 3_000]) await logIn(id, 'home', now);
    assert.equal(await firstLogin(id, 'home'), 1_000);
    assert.equal(await firstLogin(id, 'work'), null);
    assert.equal(await firstLogin(other.id, 'home'), null);
  });

  test('the first login from a network is the last one that an earlier release has stored, and stays so', async () => {
    const { id } = await insertTestUser(service.database);
    const insert = sql(
      "insert into known_networks (user_id, network, last_login_at) values ($1, 'home', 1000)",
    );
    await service.database.transaction((tx) => tx.run(insert, id));
    assert.equal(await firstLogin(id, 'home'), 1_000);
    for (const now of [2_000, 3_000]) assert.equal(await logIn(id, 'home', now), false);
    assert.equal(await firstLogin(id, 'home'), 1_000);
  });
});

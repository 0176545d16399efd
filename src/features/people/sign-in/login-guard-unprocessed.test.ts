import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromIp, limited, newClientIp } from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { useService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';

const ROWS = sql<{ count: number }>('select count(*) as count from failed_attempts');

describeOnSqlite('logins that cannot be processed', (engine) => {
  const service = useService(engine, limited({ RATE_LIMIT_LOGIN: 'off' }));

  test('logins that cannot be processed leave no row of failed attempts, and no failure of the address', async () => {
    const { database } = service.service;
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

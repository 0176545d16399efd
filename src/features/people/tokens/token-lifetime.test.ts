import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { startService } from '../../../../test/support/service.ts';
import { insertLoggedInUser } from '../../../../test/support/users.ts';
import { DAY } from '../../../lib/time.ts';

const INVALID_TOKEN =
  'Bearer realm="api", error="invalid_token", error_description="The access token is invalid or expired"';

describeOnSqlite('the lifetime of a token', (engine) => {
  test('the lifetime of a token ends at the millisecond of its expiry, also if the token is in use', async () => {
    const start = Date.UTC(2026, 2, 1, 12);
    let now = start;
    const service = await startService(engine, { clock: () => now });
    try {
      const user = await insertLoggedInUser(service.service.database, start);
      const statusAt = async (moment: number) => {
        now = moment;
        return (await service.api.get('/api/v1/me', { token: user.token })).status;
      };
      assert.equal(await statusAt(start + 15 * DAY), 200);
      assert.equal(await statusAt(start + 30 * DAY - 1), 200);
      assert.equal(await statusAt(start + 30 * DAY), 401);
      const list = await service.api.get('/api/v1/users', { token: user.token });
      assert.equal(list.status, 401);
      assert.equal(list.headers.get('www-authenticate'), INVALID_TOKEN);
    } finally {
      await service.stop();
    }
  });

  test('the lifetime of tokens is configurable, and the response of the registration states it', async () => {
    let now = Date.UTC(2026, 2, 1);
    const environment = { TOKEN_LIFETIME_DAYS: '2' };
    const service = await startService(engine, { environment, clock: () => now });
    try {
      const person = { name: 'Ada', email: 'ada@example.com', password: 'a good password' };
      const { body } = await service.api.post('/api/register', person);
      assert.equal(body.expires_in, 172_800);
      now += 2 * DAY;
      assert.equal((await service.api.get('/api/v1/me', { token: body.access_token })).status, 401);
    } finally {
      await service.stop();
    }
  });
});

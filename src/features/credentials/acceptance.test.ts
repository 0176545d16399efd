/** Where named credentials are accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromConsole, SESSION_PATH } from '../../../test/support/browser/console-session.ts';
import { createCredential } from '../../../test/support/credentials.ts';
import { fromIp, limited, manualClock, newClientIp } from '../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { sql } from '../../database/database.ts';

const DASHBOARD = '/api/v1/admin/dashboard';
const token = ADMIN_TOKEN;
const ENABLE_TOTP = sql('update credentials set totp_enabled_at = $2 where id = $1');

describeOnSqlite('the acceptance of named credentials', (engine) => {
  const clock = manualClock();
  const service = useService(engine, limited({}, { clock }));

  test('a credential of a program does not sign in to the console', async () => {
    const { secret } = await createCredential(service, ['admin']);
    const response = await service.api.post(SESSION_PATH, { credential: secret }, fromConsole());
    assert.deepEqual([response.status, response.headers.getSetCookie()], [401, []]);
    assert.equal((await service.api.get(SESSION_PATH, { token: secret })).status, 401);
  });

  test('a credential that had a second factor in an earlier release is not accepted any more', async () => {
    const { secret, record, path } = await createCredential(service, ['users:read']);
    assert.equal((await service.api.get(DASHBOARD, { token: secret })).status, 200);
    await service.database.transaction((tx) => tx.run(ENABLE_TOTP, record.id, clock.now));
    assert.equal((await service.api.get(DASHBOARD, { token: secret })).status, 401);
    const { body } = await service.api.get(path, { token });
    assert.equal(body.data.totp_enabled_at, new Date(clock.now).toISOString());
  });

  const networks = ['192.0.2.0/24', '2001:db8::/32'];
  const allowed = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1::7'];
  const others = ['192.0.3.7', '::ffff:192.0.3.7', '2001:db9::7', '127.0.0.1'];

  test('a credential with networks is rejected from all others like an unknown one', async () => {
    const { secret } = await createCredential(service, ['users:read'], { networks });
    const use = async (clientIp: string) => service.api.get(DASHBOARD, fromIp(clientIp, { token: secret }));
    for (const clientIp of allowed) assert.equal((await use(clientIp)).status, 200, clientIp);
    for (const clientIp of others) {
      const { status, headers } = await use(clientIp);
      assert.equal(status, 401, clientIp);
      assert.match(headers.get('www-authenticate')!, /error="invalid_token"/);
    }
  });

  test('wrong, revoked and expired credentials count as failed attempts, and the right one is still accepted', async () => {
    const revoked = await createCredential(service, ['users:read']);
    await service.api.delete(revoked.path, { token });
    const valid = await createCredential(service, ['users:read']);
    const clientIp = newClientIp();
    const send = (secret: string) => service.api.get(DASHBOARD, fromIp(clientIp, { token: secret }));
    for (let count = 0; count < 10; count++) assert.equal((await send(revoked.secret)).status, 401);
    const { status: limit, body } = await send(revoked.secret);
    assert.deepEqual([limit, body.code], [429, 'rate_limited_admin_fail']);
    const accepted = await send(valid.secret);
    assert.equal(accepted.status, 200);
    assert.match(accepted.headers.get('ratelimit')!, /^"credential-read";r=\d+;t=\d+$/);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromConsole, signIn } from '../../../../test/support/browser/console-session.ts';
import { CREDENTIALS, createCredential } from '../../../../test/support/credentials.ts';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { manualClock } from '../../../../test/support/limits.ts';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { createTotpCredential, enrol, signInWithCode, TOTP_PATH } from '../../../../test/support/totp.ts';
import { sql } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';

const USERS = '/api/v1/users';
const token = ADMIN_TOKEN;
const STORED = sql<{ id: string }>(`
  select credential_id as id from credential_totp where credential_id = $1
  union all select credential_id as id from credential_recovery_codes where credential_id = $1`);

describeOnSqlite('second factors of credentials outside of the console', (engine) => {
  const clock = manualClock();
  const service = useService(engine, { clock });
  const status = async (secret: string) => (await service.api.get(USERS, { token: secret })).status;

  test('a credential with a second factor is rejected as a bearer token with 403, which says why', async () => {
    const { secret } = await createTotpCredential(service, clock.now, { scopes: ['admin'] });
    for (const path of [USERS, '/api/v1/admin/dashboard', CREDENTIALS, '/console/session']) {
      const response = await service.api.get(path, { token: secret });
      assert.deepEqual([response.status, response.body.code], [403, 'credential_console_only'], path);
      assert.match(response.body.error, /console only/);
    }
    assert.equal((await service.api.get('/api/v1/me', { token: secret })).status, 401);
  });

  test('a credential with a second factor is rejected as that of a program that forwards its client', async () => {
    const { secret } = await createTotpCredential(service, clock.now, { scopes: ['clients:forward'] });
    const headers = { 'frontdesk-credential': secret, 'x-forwarded-for': '203.0.113.7' };
    const response = await service.api.get(USERS, { headers });
    assert.deepEqual([response.status, response.body.code], [403, 'credential_console_only']);
  });

  test('a second factor that is not confirmed changes nothing for programs', async () => {
    const { secret } = await createCredential(service, ['users:read']);
    const cookie = await signIn(service, secret);
    await service.api.post(`${TOTP_PATH}/secret`, undefined, fromConsole(cookie));
    assert.equal(await status(secret), 200);
    await enrol(service, cookie, clock.now);
    assert.equal(await status(secret), 403);
  });

  test('an owner removes the second factor of another credential, whose secret alone signs in again', async () => {
    const { secret, path, record } = await createTotpCredential(service, clock.now);
    const owner = await createCredential(service, ['admin']);
    assert.equal((await service.api.delete(`${path}/totp`, { token: owner.secret })).status, 204);
    assert.equal((await signInWithCode(service, secret, undefined)).status, 201);
    assert.equal(await status(secret), 200);
    assert.equal((await service.api.get(path, { token })).body.data.totp_enabled_at, null);
    assert.deepEqual(await service.service.database.all(STORED, record.id), []);
    assert.equal((await service.api.delete(`${path}/totp`, { token: owner.secret })).status, 204, 'again');
    await numberAllEvents(service.service.database);
    const query = `/api/v1/events?subject=credential:${record.id}&type=credential.totp_disabled`;
    const events = (await service.api.get(query, { token })).body.data;
    const actor = { type: 'administrator', id: owner.record.id, name: owner.record.name };
    assert.deepEqual(
      events.map((event: Record<string, unknown>) => [event.actor, event.details]),
      [[actor, { name: record.name }]],
    );
  });

  test('an owner cannot remove the second factor of their own credential without a code: 403', async () => {
    const { path, cookie } = await createTotpCredential(service, clock.now, { scopes: ['admin'] });
    const own = await service.api.request('DELETE', `${path}/totp`, fromConsole(cookie));
    assert.deepEqual([own.status, own.body.code], [403, 'forbidden']);
    assert.match(own.body.error, /switched off with a code/);
    assert.notEqual((await service.api.get(path, { token })).body.data.totp_enabled_at, null);
  });

  test('a second factor is removed by owners only, and of credentials that exist', async () => {
    const { path } = await createTotpCredential(service, clock.now);
    const { secret } = await createCredential(service, ['users:write', 'settings:write']);
    assert.equal((await service.api.delete(`${path}/totp`, { token: secret })).status, 403);
    assert.equal((await service.api.delete(`${path}/totp`)).status, 401);
    for (const id of [newId(), 'nobody']) {
      const unknown = await service.api.delete(`${CREDENTIALS}/${id}/totp`, { token });
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'credential_not_found']);
    }
  });

  test('a revocation deletes the second factor', async () => {
    const { path, record } = await createTotpCredential(service, clock.now);
    assert.equal((await service.api.delete(path, { token })).status, 204);
    assert.deepEqual(await service.service.database.all(STORED, record.id), []);
  });
});

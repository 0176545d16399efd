import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTestLink,
  listEvents,
  logIn,
  queueTestMail,
  waitingKinds,
} from '../../../test/support/processes/recovery.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, useService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import {
  createUnclaimedUser,
  insertTestUser,
  markEmailVerified,
  register,
} from '../../../test/support/users.ts';

const NEW = 'paper lantern under the bridge';

describeOnSqlite('PUT /api/v1/users/{id}/password', (engine) => {
  const service = useService(engine);
  const set = (id: string, body: unknown = { password: NEW }, credential: object = admin) =>
    service.api.put(`/api/v1/users/${id}/password`, body, credential);
  const read = async (id: string) => (await service.api.get(`/api/v1/users/${id}`, admin)).body.data;

  test('PUT /api/v1/users/{id}/password replaces the password, revokes tokens and links, and queues a notice', async () => {
    const person = await register(service);
    await markEmailVerified(service, person.id);
    const { token } = await logIn(service, person);
    const link = await createTestLink(service, 'reset_password', { user: person });
    await queueTestMail(service, 'reset_password', { userId: null, email: person.email });
    const { status, body } = await set(person.id);
    assert.equal(status, 200);
    assert.deepEqual(body, { message: 'Password set' });
    assert.equal((await logIn(service, person)).status, 401);
    for (const old of [person.token, token]) {
      assert.equal((await service.api.get('/api/v1/me', { token: old })).status, 401);
    }
    assert.equal((await service.api.post(`/api/v1/password-resets/${link}`, { password: NEW })).status, 404);
    assert.deepEqual(await waitingKinds(service, person.email), ['verify_email', 'password_changed']);
    assert.deepEqual(await listEvents(service, person.id), [
      'user.created by user',
      'login.succeeded by user',
      'password.changed by administrator',
      'login.failed (wrong_password) by anonymous',
    ]);
    assert.equal((await logIn(service, { ...person, password: NEW })).status, 200);
    await assertExactFigures(service.database);
  });

  test('PUT /api/v1/users/{id}/password activates an unclaimed account and revokes the link to claim it', async () => {
    const record = await createUnclaimedUser(service);
    const link = await createTestLink(service, 'claim_account', { user: record });
    assert.equal((await set(record.id)).status, 200);
    const { state, version, email_verified_at } = await read(record.id);
    assert.deepEqual(
      { state, version, email_verified_at },
      { state: 'active', version: 2, email_verified_at: null },
    );
    assert.equal((await service.api.post(`/api/v1/password-resets/${link}`, { password: NEW })).status, 404);
    assert.deepEqual(await waitingKinds(service, record.email), []);
    assert.equal((await logIn(service, { email: record.email, password: NEW })).status, 200);
    await assertExactFigures(service.database);
  });

  test('PUT /api/v1/users/{id}/password leaves a disabled user disabled', async () => {
    const user = await insertTestUser(service.database, { state: 'disabled' });
    assert.equal((await set(user.id)).status, 200);
    assert.equal((await read(user.id)).state, 'disabled');
    assert.equal((await logIn(service, { email: user.email!, password: NEW })).status, 401);
  });

  test('PUT /api/v1/users/{id}/password rejects a record that does not own its email with 409', async () => {
    const { email } = newUserData();
    const ownless = [
      (await service.api.post('/api/v1/users', { email })).body.data.id,
      (await service.api.post('/api/v1/users', {})).body.data.id,
    ];
    await createUnclaimedUser(service, { email });
    for (const id of ownless) {
      const { status, body } = await set(id);
      assert.deepEqual([status, body.code], [409, 'user_state_conflict']);
      assert.equal((await read(id)).state, 'unclaimed');
      assert.deepEqual(await listEvents(service, id), ['user.created by anonymous']);
    }
    assert.equal((await logIn(service, { email, password: NEW })).status, 401);
  });
});

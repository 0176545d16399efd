import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { editor, useSharedService } from '../../../test/support/service.ts';
import { createUnclaimedUser, register } from '../../../test/support/users.ts';
import { listLiveTokens } from '../people/tokens/queries.ts';

describeOnEachEngine('disabling of a user', (engine) => {
  const service = useSharedService(engine);
  const setState = (id: string, state: string) => service.api.patch(`/api/v1/users/${id}`, { state }, editor);
  const statusOfMe = async (token: string) => (await service.api.get('/api/v1/me', { token })).status;

  test('disabling a user prevents logins until the user is active again, and revoked tokens stay revoked', async () => {
    const person = await register(service);
    const { email, password } = person;
    await setState(person.id, 'disabled');
    const rejected = await service.api.post('/api/login', { email, password });
    assert.equal(rejected.status, 401);
    const { body } = await setState(person.id, 'active');
    assert.equal(body.data.state, 'active');
    assert.equal(body.data.version, 3);
    assert.equal(await statusOfMe(person.token), 401);
    const login = await service.api.post('/api/login', { email, password });
    assert.equal(await statusOfMe(login.body.access_token), 200);
  });

  test('disabling a user leaves no valid token to logins that run concurrently', async () => {
    const { id, email, password } = await register(service);
    const logins = Array.from({ length: 6 }, () => service.api.post('/api/login', { email, password }));
    // After half of the logins, some have a token, one is between hash and token, some wait.
    await logins[2];
    const disabled = await setState(id, 'disabled');
    assert.equal(disabled.status, 200);
    const responses = await Promise.all(logins);
    assert.ok(responses.every(({ status }) => status === 200 || status === 401));
    assert.deepEqual(await listLiveTokens(service.database, id, Date.now()), []);
    for (const { status, body } of responses) {
      if (status === 200) assert.equal(await statusOfMe(body.access_token), 401);
    }
  });

  test('PATCH /api/v1/users/{id} rejects the states active and disabled for a record without a password with 400', async () => {
    const { id } = await createUnclaimedUser(service);
    for (const state of ['active', 'disabled']) {
      const { status, body } = await setState(id, state);
      assert.equal(status, 400);
      assert.deepEqual(body.errors, { state: ['The selected state is invalid.'] });
    }
  });
});

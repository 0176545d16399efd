import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../../test/support/runner/engines.ts';
import { newUserData, useSharedService } from '../../../../test/support/service.ts';
import { register } from '../../../../test/support/users.ts';

describeOnSqlite('POST /api/register', (engine) => {
  const service = useSharedService(engine);
  const post = (body: unknown) => service.api.post('/api/register', body);

  test('registration, login and logout have versioned names too', async () => {
    const person = newUserData();
    const registered = await service.api.post('/api/v1/register', person);
    assert.equal(registered.status, 201);
    assert.equal((await post(person)).body.code, 'email_taken');
    const { access_token: token } = (await service.api.post('/api/v1/login', person)).body;
    assert.equal((await service.api.post('/api/v1/logout', undefined, { token })).status, 200);
    assert.equal((await service.api.get('/api/v1/me', { token })).status, 401);
  });

  test('POST /api/register reveals whether an email is registered only if all other members are valid', async () => {
    const person = await register(service);
    const responses = await Promise.all(
      [person.email, newUserData().email].map((email) => post({ ...person, email, password: 'short' })),
    );
    assert.deepEqual(responses[0]!.body, responses[1]!.body);
    assert.equal(responses[0]!.status, 400);
    assert.deepEqual(Object.keys(responses[0]!.body.errors), ['password']);
  });

  test('registration ignores a level of any type and members that the schema does not name', async () => {
    const sent = { level: { admin: true }, id: 'mine', state: 'disabled', is_admin: true, abilities: ['*'] };
    const { body } = await post({ ...newUserData(), ...sent });
    const { data } = (await service.api.get('/api/v1/me', { token: body.access_token })).body;
    assert.equal(data.level, null);
    assert.equal(data.state, 'active');
    assert.notEqual(data.id, 'mine');
    const dashboard = await service.api.get('/api/v1/admin/dashboard', { token: body.access_token });
    assert.equal(dashboard.status, 401);
  });

  for (const [title, password] of [
    ['6144 bytes that are 4096 in normalization form C', 'e\u0301'.repeat(2_048)],
    ['U+0000', 'pass\u0000word'],
  ] as const)
    test(`registration accepts ${title} as a password`, async () => {
      const person = { ...newUserData(), password };
      assert.equal((await post(person)).status, 201);
      assert.equal((await service.api.post('/api/login', person)).status, 200);
    });
});

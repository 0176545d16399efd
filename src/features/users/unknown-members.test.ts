import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, useSharedService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser } from '../../../test/support/users.ts';

const admin = { token: ADMIN_TOKEN, headers: { 'if-match': '*' } };
const notAllowed = (name: string) => [`The ${name} field is not allowed here.`];

describeOnSqlite('unknown members of request bodies', (engine) => {
  const service = useSharedService(engine);

  test('unknown members are rejected with 400 that names each of them, and the change is not made', async () => {
    const record = await createUnclaimedUser(service);
    const path = `/api/v1/users/${record.id}`;
    const changes = { name: 'Other', password: 'correct horse battery', rank: 'admin' };
    const { status, body } = await service.api.patch(path, changes, admin);
    assert.equal(status, 400);
    assert.deepEqual(body, {
      error: 'The password field is not allowed here. (and 1 more error)',
      code: 'validation_failed',
      message: 'The password field is not allowed here. (and 1 more error)',
      errors: { password: notAllowed('password'), rank: notAllowed('rank') },
    });
    assert.deepEqual((await service.api.get(path, admin)).body.data, record);
  });

  test('unknown members are named next to the messages of the known ones', async () => {
    const { id } = await createUnclaimedUser(service);
    const { body } = await service.api.patch(`/api/v1/users/${id}`, { extra: 1, state: 'gone' }, admin);
    assert.deepEqual(Object.entries(body.errors), [
      ['state', ['The selected state is invalid.']],
      ['extra', notAllowed('extra')],
    ]);
  });

  test('unknown members have a JSON pointer in problem details, whatever their names', async () => {
    const { id } = await createUnclaimedUser(service);
    const { status, body } = await service.api.request('PATCH', `/api/v1/users/${id}`, {
      raw: '{"a/b~c %": 2, "constructor": 3, "": 4, "\\ud800": 5}',
      token: ADMIN_TOKEN,
      headers: { 'if-match': '*', 'content-type': 'application/json', accept: 'application/problem+json' },
    });
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['#/a~1b~0c%20%25', '#/constructor', '#/', '#/%EF%BF%BD'],
    );
  });

  test('unknown members are ignored in the bodies of anonymous callers and users', async () => {
    const user = await insertLoggedInUser(service.service.database);
    for (const credential of [{}, { token: user.token }]) {
      const body = { ...newUserData(), unknown: 1, level: 'gold' };
      assert.equal((await service.api.post('/api/v1/users', body, credential)).status, 201);
    }
    const registration = { ...newUserData(), unknown: 1 };
    assert.equal((await service.api.post('/api/register', registration)).status, 201);
  });
});

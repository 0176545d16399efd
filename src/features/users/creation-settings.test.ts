import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyed, newKey } from '../../../test/support/keyed.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, newUserData, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser } from '../../../test/support/users.ts';

describeOnSqlite('a service with MAX_UNCLAIMED_USERS=2', (engine) => {
  const service = useService(engine, { environment: { MAX_UNCLAIMED_USERS: '2' } });
  const create = (request = {}) => service.api.post('/api/v1/users', {}, request);

  test('MAX_UNCLAIMED_USERS=2 rejects the third record of anonymous callers and users with 503 until one is deleted', async () => {
    const { token } = await insertLoggedInUser(service.database);
    const first = await create();
    assert.equal(first.status, 201);
    assert.equal((await create({ token })).status, 201);
    const key = newKey();
    for (const request of [{}, { token }, keyed(key)]) {
      const rejected = await create(request);
      assert.equal(rejected.status, 503);
      assert.deepEqual(rejected.body, {
        error: 'Too many unclaimed records are stored',
        code: 'unclaimed_users_full',
      });
      assert.equal(rejected.headers.get('retry-after'), '3600');
    }
    const path = `/api/v1/users/${first.body.data.id}`;
    assert.equal((await service.api.delete(path, admin)).status, 204);
    assert.equal((await create(keyed(key))).status, 201, 'the rejection was not stored');
    assert.equal((await create()).status, 503);
  });

  test('MAX_UNCLAIMED_USERS accepts records of the administrator and registrations beyond the number', async () => {
    await createUnclaimedUser(service);
    assert.equal((await service.api.post('/api/register', newUserData())).status, 201);
    assert.equal((await create()).status, 503);
  });
});

const forbidden = { error: 'Forbidden', code: 'forbidden' };

describeOnSqlite('a service with USERS_CREATE=admin and REGISTRATION=closed', (engine) => {
  const service = useService(engine, {
    environment: { USERS_CREATE: 'admin', REGISTRATION: 'closed' },
  });

  test('USERS_CREATE=admin rejects records of anonymous callers and users with 403, but not of the administrator', async () => {
    const user = await insertLoggedInUser(service.database);
    for (const credential of [{}, { token: user.token }]) {
      for (const body of [{}, { email: 'nobody' }, []]) {
        const response = await service.api.post('/api/v1/users', body, credential);
        assert.equal(response.status, 403);
        assert.deepEqual(response.body, forbidden);
      }
    }
    await createUnclaimedUser(service);
  });

  test('REGISTRATION=closed rejects registrations with 403 and admits logins', async () => {
    const person = newUserData();
    for (const body of [person, {}, []]) {
      const rejected = await service.api.post('/api/register', body);
      assert.equal(rejected.status, 403);
      assert.deepEqual(rejected.body, forbidden);
    }
    await createUnclaimedUser(service, person);
    assert.equal((await service.api.post('/api/login', person)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { newUserData, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser } from '../../../test/support/users.ts';

const forbidden = { error: 'Forbidden', code: 'forbidden' };

describeOnSqlite('a service with USERS_CREATE=admin and REGISTRATION=closed', (engine) => {
  const service = useService(engine, {
    environment: { USERS_CREATE: 'admin', REGISTRATION: 'closed' },
  });

  test('USERS_CREATE=admin rejects records of anonymous callers and users with 403, but not of the administrator', async () => {
    const user = await insertLoggedInUser(service.service.database);
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable } from '../../../test/support/api.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, openService, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { newId } from '../../lib/secrets/ids.ts';

describeOnSqlite('GET /api/v1/users and GET /api/v1/users/{id}', (engine) => {
  const service = useService(engine);

  test('GET /api/v1/users/{id} returns the same response to anonymous callers for an existing and an unknown id', async () => {
    const known = await insertTestUser(service.database);
    const unknown = newId();
    const [one, two] = await Promise.all(
      [known.id, unknown].map((id) => service.api.get(`/api/v1/users/${id}`)),
    );
    assert.equal(one!.text, `{"message":"User ${known.id}"}`);
    const asKnown = { ...two!, text: two!.text.replace(unknown, known.id) };
    assert.deepEqual(comparable(asKnown), comparable(one!));
  });

  test('users get their own record, in the list and by its id', async () => {
    const user = await insertLoggedInUser(service.database);
    const list = await service.api.get('/api/v1/users', user);
    const [record] = list.body.data;
    assert.deepEqual([list.body.data.length, record.id, list.headers.get('link')], [1, user.id, null]);
    const one = await service.api.get(`/api/v1/users/${user.id}`, user);
    assert.deepEqual(one.body, { message: `User ${user.id}`, data: record });
    assert.equal(one.headers.get('etag'), '"1"');
  });

  test('users who read another id get the response for anonymous callers, whether it exists or not', async () => {
    const user = await insertLoggedInUser(service.database);
    const other = await insertTestUser(service.database);
    for (const id of [other.id, newId(), 'nobody', user.id.toUpperCase()]) {
      const asUser = await service.api.get(`/api/v1/users/${id}`, user);
      assert.deepEqual(comparable(asUser), comparable(await service.api.get(`/api/v1/users/${id}`)));
    }
  });

  test('the administrator gets every record, and 404 for an unknown id', async () => {
    const record = await createUnclaimedUser(service, { level: 'gold' });
    const one = await service.api.get(`/api/v1/users/${record.id}`, admin);
    assert.equal(one.status, 200);
    assert.deepEqual(one.body, { message: `User ${record.id}`, data: record });
    assert.equal(one.headers.get('etag'), '"1"');
  });

  test('GET /api/v1/users/{id} returns unusual ids to anonymous callers, and 404 to the administrator', async () => {
    const ids = ['<script>alert(1)</script>', '"}', '\u0000', "' or 1=1 --", '😀', '%', 'a/b', 'a\nb'];
    for (const id of [...ids, '__proto__', 'constructor', 'x'.repeat(255)]) {
      const path = `/api/v1/users/${encodeURIComponent(id)}`;
      const asAnonymous = await service.api.get(path);
      assert.equal(asAnonymous.status, 200);
      assert.equal(asAnonymous.text, JSON.stringify({ message: `User ${id}` }));
      assert.equal(asAnonymous.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(asAnonymous.headers.get('x-content-type-options'), 'nosniff');
      const asAdmin = await service.api.get(path, admin);
      assert.equal(asAdmin.status, 404);
      assert.deepEqual(asAdmin.body, { error: 'User not found', code: 'user_not_found' });
    }
  });
});

describeOnSqlite('GET /api/v1/users as an anonymous caller', (engine) => {
  test('GET /api/v1/users as an anonymous caller does not query the database', async (context) => {
    const service = await openService(context, engine);
    const { id } = await insertTestUser(service.database);
    await service.database.transaction((tx) => tx.run(sql('alter table users rename to hidden')));
    assert.equal((await service.api.get(`/api/v1/users/${id}`)).status, 200);
    assert.equal((await service.api.get('/api/v1/users')).status, 200);
    assert.equal((await service.api.get(`/api/v1/users/${id}`, admin)).status, 500);
  });
});

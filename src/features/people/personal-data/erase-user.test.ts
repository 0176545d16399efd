import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { createUnclaimedUser, insertLoggedInUser, insertTestToken } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';
import { recordActiveUsers } from '../../activity/active-users/active-users.ts';

const admin = { token: ADMIN_TOKEN };

const COUNTS = [
  sql<{ rows: number }>('select count(*) as rows from users where id = $1'),
  sql<{ rows: number }>('select count(*) as rows from tokens where user_id = $1'),
  sql<{ rows: number }>('select count(*) as rows from user_activity where user_id = $1'),
];

describeOnEachEngine('DELETE /api/v1/users/{id}', (engine) => {
  const service = useService(engine);

  test('DELETE /api/v1/users/{id} deletes the record, its tokens and its activity, and nothing of other users', async () => {
    const { database } = service.service;
    const [user, other] = [await insertLoggedInUser(database), await insertLoggedInUser(database)];
    await insertTestToken(database, user.id);
    for (const { id } of [user, other]) {
      await database.transaction((tx) => recordActiveUsers(tx, Date.now(), [id]));
    }
    const counts = (id: string) =>
      Promise.all(COUNTS.map(async (count) => (await database.get(count, id))!.rows));
    assert.deepEqual(await counts(user.id), [1, 2, 1]);

    const response = await service.api.delete(`/api/v1/users/${user.id}`, admin);
    assert.equal(response.status, 204);
    assert.deepEqual(await counts(user.id), [0, 0, 0]);
    assert.deepEqual(await counts(other.id), [1, 1, 1]);
    assert.equal((await service.api.get('/api/v1/me', user)).status, 401);
    assert.equal((await service.api.get('/api/v1/me', other)).status, 200);
    assert.equal((await service.api.delete(`/api/v1/users/${user.id}`, admin)).status, 404);
  });

  test('DELETE /api/v1/users/{id} responds with a receipt if the request prefers it', async () => {
    const { database } = service.service;
    const { id } = await insertLoggedInUser(database);
    const headers = { prefer: 'return=representation' };
    const response = await service.api.delete(`/api/v1/users/${id}`, { ...admin, headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('preference-applied'), 'return=representation');
    await numberAllEvents(database);
    const { body } = await service.api.get(`/api/v1/events?subject=user:${id}`, admin);
    const { event_id, erased_at, user_id, deleted } = response.body.data;
    assert.deepEqual(
      [body.data[0].type, body.data[0].id, body.data[0].time],
      ['user.erased', event_id, erased_at],
    );
    assert.deepEqual([user_id, deleted.includes('record')], [id, true]);
  });

  test('DELETE /api/v1/users/{id} rejects a version other than that of If-Match with 412', async () => {
    const { id } = await createUnclaimedUser(service);
    const path = `/api/v1/users/${id}`;
    const tagged = (tag: string) => ({ ...admin, headers: { 'if-match': tag } });
    assert.equal((await service.api.patch(path, { level: 'gold' }, tagged('"1"'))).status, 200);
    const rejected = await service.api.delete(path, tagged('"1"'));
    assert.equal(rejected.status, 412);
    assert.equal(rejected.body.code, 'precondition_failed');
    assert.equal((await service.api.get(path, admin)).status, 200);
    assert.equal((await service.api.delete(path, tagged('"2"'))).status, 204);
    assert.equal((await service.api.delete(path, tagged('"2"'))).status, 404);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../test/support/service.ts';
import { insertLoggedInUser, insertTestUser } from '../../../test/support/users.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { MAX_GROUPS, MAX_GROUPS_OF_USER } from './group.ts';
import { insertGroup } from './queries.ts';

const token = ADMIN_TOKEN;
const path = '/api/v1/groups';

describeOnEachEngine('groups', (engine) => {
  const service = useService(engine);
  let names = 0;
  const create = async (members: object = {}) => {
    const body = { name: `group-${++names}`, title: 'Group', ...members };
    return service.api.post(path, body, { token });
  };
  const createId = async (): Promise<string> => (await create()).body.data.id;
  const createUser = async () => (await insertTestUser(service.database)).id;
  const put = (groupId: string, userId: string) =>
    service.api.put(`${path}/${groupId}/users/${userId}`, undefined, { token });
  const remove = (groupId: string, userId: string) =>
    service.api.delete(`${path}/${groupId}/users/${userId}`, { token });
  const batch = (groupId: string, body: object) =>
    service.api.post(`${path}/${groupId}/users/batch`, body, { token });
  const listMembers = async (groupId: string, parameters = ''): Promise<string[]> => {
    const { name } = (await service.api.get(`${path}/${groupId}`, { token })).body.data;
    const { body } = await service.api.get(`/api/v1/users?group=${name}${parameters}`, { token });
    return body.data.map(({ id }: { id: string }) => id);
  };
  const countMembers = async (groupId: string): Promise<number> => {
    const { body } = await service.api.get(path, { token });
    return body.data.find(({ id }: { id: string }) => id === groupId).members;
  };
  const listEvents = async (userId: string): Promise<object[]> => {
    const { body } = await service.api.get(`/api/v1/users/${userId}/events`, { token });
    return body.data.map(({ type, details }: { type: string; details: object }) => ({ type, details }));
  };

  test('a group is created with its ETag and its location, and listed', async () => {
    const { status, headers, body } = await create({ name: 'staff', title: ' Staff ' });
    assert.deepEqual([status, body.message, headers.get('etag')], [201, 'Group created', '"1"']);
    assert.deepEqual([body.data.name, body.data.title, body.data.version], ['staff', 'Staff', 1]);
    const read = await service.api.get(headers.get('location')!, { token });
    assert.deepEqual(read.body.data, body.data);
    const list = await service.api.get(path, { token });
    assert.ok(list.body.data.some(({ id }: { id: string }) => id === body.data.id));
  });

  test('two groups never have the same name', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => create({ name: 'twice' })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409]);
    const { id, version } = (await create()).body.data;
    const headers = { 'if-match': `"${version}"` };
    const renamed = await service.api.patch(`${path}/${id}`, { name: 'twice' }, { token, headers });
    assert.deepEqual([renamed.status, renamed.body.code], [409, 'group_name_taken']);
  });

  test('a user is in a group after PUT and not after DELETE, both of which can be repeated, with one event each', async () => {
    const [id, userId] = [await createId(), await createUser()];
    for (const _ of [1, 2]) assert.equal((await put(id, userId)).status, 204);
    assert.deepEqual(await listMembers(id), [userId]);
    assert.equal(await countMembers(id), 1);
    for (const _ of [1, 2]) assert.equal((await remove(id, userId)).status, 204);
    assert.deepEqual(await listMembers(id), []);
    assert.equal(await countMembers(id), 0);
    const details = { group_id: id, name: `group-${names}` };
    assert.deepEqual(await listEvents(userId), [
      { type: 'group.member_removed', details },
      { type: 'group.member_added', details },
    ]);
  });

  test('changes of members reject unknown users with 404', async () => {
    const id = await createId();
    for (const change of [put, remove])
      for (const user of [newId(), 'unknown']) {
        const { status, body } = await change(id, user);
        assert.deepEqual([status, body.code], [404, 'user_not_found']);
      }
  });

  test('a batch adds and removes users, and returns the result of each in its order', async () => {
    const id = await createId();
    const users = await Promise.all(Array.from({ length: 101 }, createUser));
    const [leaving, ...others] = users as [string, ...string[]];
    await put(id, leaving);
    const unknown = newId();
    const { status, body } = await batch(id, { add: [...others, unknown], remove: [leaving] });
    assert.deepEqual([status, body.failed], [200, 1]);
    assert.deepEqual(
      body.data.map(({ user_id, status, code = null }: Record<string, unknown>) => [user_id, status, code]),
      [...others.map((each) => [each, 204, null]), [unknown, 404, 'user_not_found'], [leaving, 204, null]],
    );
    assert.deepEqual(new Set(await listMembers(id, '&limit=100')), new Set(others));
    assert.deepEqual((await batch(id, { add: [...others, unknown], remove: [leaving] })).body, body);
  });

  test('a batch without users, with more than 1,000, or with a user twice is rejected with 400', async () => {
    const [id, userId] = [await createId(), await createUser()];
    const many = Array.from({ length: 600 }, newId);
    for (const body of [
      {},
      { add: [], remove: [] },
      { add: [userId, userId] },
      { add: [userId], remove: [userId] },
      { add: many, remove: Array.from({ length: 401 }, newId) },
      { add: Array.from({ length: 1_001 }, newId) },
    ])
      assert.equal((await batch(id, body)).status, 400, JSON.stringify(body).slice(0, 80));
  });

  test('users show their groups to the administrator, sorted by name, and not to themselves', async () => {
    const userId = await createUser();
    const [one, two] = [await create({ name: 'b-side' }), await create({ name: 'a-side' })];
    await Promise.all([one, two].map(({ body }) => put(body.data.id, userId)));
    const expected = ['a-side', 'b-side'];
    const read = await service.api.get(`/api/v1/users/${userId}`, { token });
    assert.deepEqual(read.body.data.groups, expected);
    const listed = await service.api.get('/api/v1/users?group=a-side', { token });
    assert.deepEqual(listed.body.data, [{ ...read.body.data, groups: expected }]);
    const headers = { 'if-match': '*' };
    const changed = await service.api.patch(`/api/v1/users/${userId}`, { level: 'x' }, { token, headers });
    assert.deepEqual(changed.body.data.groups, expected);
    const own = await insertLoggedInUser(service.database);
    const me = await service.api.get('/api/v1/users', { token: own.token });
    assert.equal('groups' in me.body.data[0], false);
  });

  test('a deleted group has no members, also for a new group with its name', async () => {
    const [userId, first] = [await createUser(), await create({ name: 'again' })];
    await put(first.body.data.id, userId);
    const { status } = await service.api.delete(`${path}/${first.body.data.id}`, { token });
    assert.equal(status, 204);
    const second = await create({ name: 'again' });
    assert.deepEqual(await listMembers(second.body.data.id), []);
    const read = await service.api.get(`/api/v1/users/${userId}`, { token });
    assert.deepEqual(read.body.data.groups, []);
  });

  test('concurrent requests add a user to as many groups as a user may have', async () => {
    const userId = await createUser();
    const ids = await fillGroups(MAX_GROUPS_OF_USER + 5);
    for (const id of ids.slice(0, MAX_GROUPS_OF_USER - 3)) await put(id, userId);
    const responses = await Promise.all(ids.slice(MAX_GROUPS_OF_USER - 3).map((id) => put(id, userId)));
    const accepted = responses.filter(({ status }) => status === 204);
    assert.equal(accepted.length, 3);
    for (const { status, body } of responses.filter((each) => !accepted.includes(each)))
      assert.deepEqual([status, body.code], [409, 'too_many_groups_of_user']);
  });

  test('concurrent requests create as many groups as the service may have', async () => {
    const { body } = await service.api.get(path, { token });
    await fillGroups(MAX_GROUPS - body.data.length - 2);
    const responses = await Promise.all(Array.from({ length: 6 }, () => create()));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409]);
    const rejected = responses.filter(({ status }) => status === 409);
    for (const { body } of rejected) assert.equal(body.code, 'too_many_groups');
  });

  /** Stores groups; returns their ids. */
  async function fillGroups(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, newId);
    await service.database.transaction(async (tx) => {
      const times = { created_at: 1, updated_at: 1, version: 1 };
      for (const id of ids)
        await insertGroup(tx, { id, name: `filled-${++names}`, title: 'Filled', ...times });
    });
    return ids;
  }
});

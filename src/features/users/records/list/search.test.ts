import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeStorage } from '../../../../../test/support/runner/engines.ts';
import { admin, editor, useService } from '../../../../../test/support/service.ts';
import {
  createUnclaimedUser,
  insertLoggedInUser,
  insertTestUser,
} from '../../../../../test/support/users.ts';

describeStorage('GET /api/v1/users?search=', (engine) => {
  const service = useService(engine);
  const list = (query: Record<string, string>) =>
    service.api.get(`/api/v1/users?${new URLSearchParams(query)}`, admin);
  const listIds = async (query: Record<string, string>): Promise<string[]> => {
    const { status, body } = await list(query);
    assert.equal(status, 200);
    return body.data.map(({ id }: { id: string }) => id);
  };

  test('the search of users finds parts of names, emails and domains, without case and accents', async () => {
    const given = { name: 'Zoë Größe-Ångström', email: 'Zoe.Miller@mail.zebra.example' };
    const { id } = await createUnclaimedUser(service, given);
    const words = ['zoë', ' ZOE\u0308 ', 'Zoë gross', 'größ', 'GROSSE-ANG', 'angstr', 'zoe.m', 'miller@ma'];
    const parts = ['oë g', 'ngström', 'TRÖ', 'iller@', 'e.mil', 'bra.exam', 'mple'];
    const domains = ['mail.zebra', '@mail.zebra.example', 'zebra.example', 'zebra', 'z', '@m', 'ex'];
    for (const search of [...words, ...parts, ...domains])
      assert.deepEqual(await listIds({ search }), [id], search);
    for (const search of ['oë', 'ng', '@zebra', 'zoë größ angström', '"', '%', '_', 'zo_', 'z*'])
      assert.deepEqual(await listIds({ search }), [], search);
  });

  test('the search of users finds a user by the id and by its first 8 characters or more', async () => {
    const user = await insertTestUser(service.database);
    await insertTestUser(service.database, { id: `ffffffff${user.id.slice(8)}` });
    for (const length of [8, 9, 13, 23, 36]) {
      const ids = await listIds({ search: ` ${user.id.slice(0, length).toUpperCase()}` });
      assert.ok(ids.includes(user.id), String(length));
      assert.ok(!ids.some((id) => id.startsWith('ffffffff')));
    }
    assert.deepEqual(await listIds({ search: user.id.slice(0, 7) }), []);
    assert.deepEqual(await listIds({ search: `${user.id}0` }), []);
  });

  test('the search of users finds the user of a token by its first characters, or by all of it', async () => {
    const user = await insertLoggedInUser(service.database);
    await insertLoggedInUser(service.database);
    for (const search of [user.token.slice(0, 12), user.token])
      assert.deepEqual(await listIds({ search }), [user.id]);
    assert.deepEqual(await listIds({ search: user.token.slice(0, 11) }), []);
    assert.deepEqual(await listIds({ search: user.token.slice(0, 12), state: 'disabled' }), []);
    await service.api.delete(`/api/v1/users/${user.id}/tokens`, admin);
    assert.deepEqual(await listIds({ search: user.token }), []);
  });

  test('the search of users finds a changed name and email, and not the old ones', async () => {
    const given = { name: 'Max Xaver', email: 'max.xaver@old.example' };
    const { id } = await createUnclaimedUser(service, given);
    const changes = { name: 'Max Ypsilon', email: 'max.ypsilon@new.example' };
    const changed = await service.api.patch(`/api/v1/users/${id}`, changes, editor);
    assert.equal(changed.status, 200);
    for (const search of ['xaver', 'xaver@old', '@old.example'])
      assert.deepEqual(await listIds({ search }), []);
    for (const search of ['YPSILON', 'ypsilon@new', 'new.example'])
      assert.deepEqual(await listIds({ search }), [id]);
    await service.api.delete(`/api/v1/users/${id}`, admin);
    assert.deepEqual(await listIds({ search: 'ypsilon' }), []);
  });

  test('the search of users repeats the filters and the order in the links', async () => {
    for (const name of ['Yara One', 'Yara Two']) await createUnclaimedUser(service, { name });
    const given = { state: 'unclaimed', verified: 'false', search: ' YARA ', sort: '-name', limit: '1' };
    const times = { created_from: '2020-01-01', created_to: '2099-01-01T01:00:00+01:00' };
    const { headers, body } = await list({ ...given, ...times });
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!;
    const parameters = Object.fromEntries(new URL(next, 'http://x').searchParams);
    assert.deepEqual(parameters, { ...given, ...times, cursor: body.next_cursor });
    const second = await service.api.get(next, admin);
    assert.deepEqual([body.data[0].name, second.body.data[0].name], ['Yara Two', 'Yara One']);
  });
});

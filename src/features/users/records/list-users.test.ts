import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { admin, useService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';

const NEXT = /^<([^>]+)>; rel="next", <([^>]+)>; rel="first"$/;
const invalidCursor = { error: 'cursor is invalid', code: 'invalid_cursor' };

interface UserView {
  readonly id: string;
}

describeOnEachEngine('pages of GET /api/v1/users', (engine) => {
  const service = useService(engine);
  const ids: string[] = [];
  const list = (query: string) => service.api.get(`/api/v1/users${query}`, admin);
  const getIds = (body: { data: UserView[] }) => body.data.map(({ id }) => id);

  before(async () => {
    for (let index = 0; index < 105; index++) {
      const state = index % 10 === 0 ? 'disabled' : 'active';
      ids.push((await insertTestUser(service.database, { state })).id);
    }
  });

  test('pages of users contain every user once when a client follows the links, and each links to the first page', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/api/v1/users?limit=40';
    while (path !== undefined) {
      const { headers, body } = await service.api.get(path, admin);
      seen.push(...getIds(body));
      const link = headers.get('link')!;
      path = NEXT.exec(link)?.[1];
      if (path === undefined) assert.equal(link, '</api/v1/users?limit=40>; rel="first"');
      else assert.equal(link, `<${path}>; rel="next", </api/v1/users?limit=40>; rel="first"`);
    }
    assert.deepEqual(seen, ids);
  });

  test('pages of users reject a cursor of a list with other filters or another order with 400', async () => {
    const all = (await list('?limit=1')).body.next_cursor;
    const disabled = (await list('?limit=1&state=disabled')).body.next_cursor;
    for (const query of [
      `state=disabled&cursor=${all}`,
      `cursor=${disabled}`,
      `state=active&cursor=${disabled}`,
      `order=-created_at&cursor=${all}`,
    ]) {
      const { status, body } = await list(`?${query}`);
      assert.equal(status, 400, query);
      assert.deepEqual(body, invalidCursor);
    }
    const disabledIds = getIds((await list('?state=disabled')).body);
    const [next] = getIds((await list(`?state=disabled&cursor=${disabled}`)).body);
    assert.equal(next, disabledIds[1]);
  });

  test('pages of users grant no access through a cursor', async () => {
    const cursor = (await list('?limit=1')).body.next_cursor;
    const user = await insertLoggedInUser(service.database);
    ids.push(user.id);
    const asAnonymous = await service.api.get(`/api/v1/users?cursor=${cursor}`);
    assert.deepEqual(asAnonymous.body, { message: 'Users list' });
    const asUser = await service.api.get(`/api/v1/users?cursor=${cursor}`, { token: user.token });
    assert.deepEqual(getIds(asUser.body), [user.id]);
  });
});

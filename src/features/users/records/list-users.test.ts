import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, useService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestUser } from '../../../../test/support/users.ts';
import { sql } from '../../../database/database.ts';

const admin = { token: ADMIN_TOKEN };
const NEXT = /^<([^>]+)>; rel="next", <([^>]+)>; rel="first"$/;
const invalidLimit = { error: 'limit must be an integer between 1 and 100', code: 'invalid_limit' };
const invalidCursor = { error: 'cursor is invalid', code: 'invalid_cursor' };

const SET_LOGIN = sql('update users set last_login_at = 5000 where id = $1');

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
      ids.push((await insertTestUser(service.service.database, { state })).id);
    }
  });

  test('pages of users contain every user once, oldest first, when a client follows next_cursor', async () => {
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const { body } = await list(`?limit=25${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...getIds(body));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, ids);
    assert.equal(pages, 5);
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

  test('pages of users contain every user once, newest first, with order=-created_at', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/api/v1/users?order=-created_at&limit=40';
    while (path !== undefined) {
      const { headers, body } = await service.api.get(path, admin);
      seen.push(...getIds(body));
      path = NEXT.exec(headers.get('link')!)?.[1];
      if (path !== undefined) assert.match(path, /\?sort=-created_at&limit=40&cursor=/);
    }
    assert.deepEqual(seen, ids.toReversed());
    assert.deepEqual(getIds((await list('?order=created_at')).body), ids.slice(0, 20));
  });

  test('pages of users have the newest users of a state or an email with order=-created_at', async () => {
    const disabled = ids.filter((_, index) => index % 10 === 0).reverse();
    const first = await list('?order=-created_at&state=disabled&limit=6');
    assert.deepEqual(getIds(first.body), disabled.slice(0, 6));
    const second = await list(`?order=-created_at&state=disabled&limit=6&cursor=${first.body.next_cursor}`);
    assert.deepEqual(getIds(second.body), disabled.slice(6));
    assert.equal(second.body.next_cursor, null);
    const { email } = first.body.data[0];
    for (const state of ['', '&state=disabled']) {
      const { body } = await list(`?order=-created_at&email=${encodeURIComponent(email)}${state}`);
      assert.deepEqual(getIds(body), [disabled[0]]);
    }
  });

  test('pages of users in one order reject a cursor of the other order with 400', async () => {
    for (const [order, other] of [
      ['created_at', '-created_at'],
      ['-created_at', 'created_at'],
    ]) {
      const { next_cursor: cursor } = (await list(`?limit=1&order=${order}`)).body;
      const { status, body } = await list(`?order=${other}&cursor=${cursor}`);
      assert.deepEqual([status, body], [400, invalidCursor]);
    }
  });

  test('pages of users include one that is created after the first page was read', async () => {
    const first = await list('?limit=100');
    const late = await insertTestUser(service.service.database);
    ids.push(late.id);
    const second = await list(`?limit=100&cursor=${first.body.next_cursor}`);
    assert.deepEqual([...getIds(first.body), ...getIds(second.body)], ids);
  });

  test('pages of users have the order of created_at, also if the ids have another one', async () => {
    const { database } = service.service;
    const imported = await insertTestUser(database, { createdAt: Date.UTC(2019, 0, 1) });
    ids.unshift(imported.id);
    const [first] = getIds((await list('?limit=1')).body);
    assert.equal(first, imported.id);
    assert.notEqual(getIds((await list('?sort=-created_at&limit=1')).body)[0], imported.id);
  });

  test('pages of users include the time of the last login', async () => {
    const { id } = await insertTestUser(service.service.database);
    ids.push(id);
    const find = async () => (await list(`?search=${id}`)).body.data[0];
    assert.equal((await find()).last_login_at, null);
    await service.service.database.transaction((tx) => tx.run(SET_LOGIN, id));
    assert.equal((await find()).last_login_at, '1970-01-01T00:00:05.000Z');
  });

  const sizes: readonly [string, number][] = [
    ['', 20],
    ['?limit=0', 20],
    ['?limit=00', 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?limit=101', 100],
    ['?limit=99999999999999999999', 100],
  ];
  for (const [query, size] of sizes) {
    test(`pages have ${size} users ${query === '' ? 'without parameters' : `with ${query}`}`, async () => {
      assert.deepEqual(getIds((await list(query)).body), ids.slice(0, size));
    });
  }

  for (const query of [
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'limit=1e2',
    'limit=%201',
    'limit=1&limit=1',
  ]) {
    test(`pages of users reject ${query} with 400 for every caller`, async () => {
      for (const credential of [{}, admin]) {
        const { status, body } = await service.api.get(`/api/v1/users?${query}`, credential);
        assert.equal(status, 400);
        assert.deepEqual(body, invalidLimit);
      }
    });
  }

  test('pages of users have neither links nor a cursor if the list is empty', async () => {
    const { headers, body } = await list('?state=unclaimed');
    assert.deepEqual(body, { message: 'Users list', data: [], next_cursor: null });
    assert.equal(headers.get('link'), null);
  });

  test('pages of users have no cursor if the last page is exactly full', async () => {
    const disabled = await list('?state=disabled&limit=11');
    assert.equal(disabled.body.data.length, 11);
    assert.equal(disabled.body.next_cursor, null);
    assert.equal(disabled.headers.get('link'), null);
  });

  test('pages of users reject a forged, changed or repeated cursor with 400', async () => {
    const { next_cursor: cursor } = (await list('?limit=1')).body;
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
    const unsigned = Buffer.from(`${'\0'.repeat(12)}${ids[0]}`, 'latin1').toString('base64url');
    const wrong = [
      '',
      'x',
      changed,
      unsigned,
      `${cursor}=`,
      `${cursor}AAAA`,
      cursor.slice(4),
      `%20${cursor}`,
      ids[0],
    ];
    for (const candidate of [...wrong.map((text) => `cursor=${text}`), `cursor=${cursor}&cursor=${cursor}`]) {
      const { status, body } = await list(`?${candidate}`);
      assert.equal(status, 400, candidate);
      assert.deepEqual(body, invalidCursor);
    }
  });

  test('pages of users reject a cursor of a list with other filters with 400', async () => {
    const all = (await list('?limit=1')).body.next_cursor;
    const disabled = (await list('?limit=1&state=disabled')).body.next_cursor;
    for (const query of [
      `state=disabled&cursor=${all}`,
      `cursor=${disabled}`,
      `state=active&cursor=${disabled}`,
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
    const user = await insertLoggedInUser(service.service.database);
    ids.push(user.id);
    const asAnonymous = await service.api.get(`/api/v1/users?cursor=${cursor}`);
    assert.deepEqual(asAnonymous.body, { message: 'Users list' });
    const asUser = await service.api.get(`/api/v1/users?cursor=${cursor}`, { token: user.token });
    assert.deepEqual(getIds(asUser.body), [user.id]);
  });
});

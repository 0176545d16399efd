import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pluck } from '../../../test/support/pluck.ts';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { admin, openService, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';

const SET_TIMES = sql('update users set email_verified_at = $2, last_login_at = $3 where id = $1');

describeOnSqlite('filters of GET /api/v1/users', (engine) => {
  const service = useService(engine);
  const list = (query: string) => service.api.get(`/api/v1/users?${query}`, admin);

  test('filters of GET /api/v1/users restrict the list to a state, an email or both', async () => {
    const owner = await createUnclaimedUser(service);
    await insertTestUser(service.database);
    const { id: copy } = (await service.api.post('/api/v1/users', { email: owner.email })).body.data;
    const listIds = async (query: string) =>
      (await list(query)).body.data.map(({ id }: { id: string }) => id);
    const email = encodeURIComponent(owner.email);
    assert.deepEqual(await listIds(`email=%20${email.toUpperCase()}&state=unclaimed`), [owner.id, copy]);
    assert.deepEqual(await listIds(`email=${email}&state=active`), []);
  });

  test('filters of GET /api/v1/users by time, level and verification can be combined', async () => {
    const { database } = service;
    const add = async (
      level: string,
      createdAt: number,
      verifiedAt: number | null,
      loginAt: number | null,
    ) => {
      const { id } = await insertTestUser(database, { level, createdAt });
      await database.transaction((tx) => tx.run(SET_TIMES, id, verifiedAt, loginAt));
      return id;
    };
    const first = await add('gold', Date.UTC(2020, 0, 1), 1, Date.UTC(2020, 5, 1));
    const second = await add('gold', Date.UTC(2020, 0, 1, 23, 59, 59, 999), null, null);
    const third = await add('gold', Date.UTC(2020, 0, 2), 1, Date.UTC(2020, 5, 2));
    const fourth = await add('silver', Date.UTC(2020, 0, 2), 1, Date.UTC(2020, 5, 2));
    const expected: Record<string, string[]> = {
      'created_from=2020-01-01&created_to=2020-01-02': [first, second],
      'created_to=2020-01-02T00:00:00.001Z': [first, second, third, fourth],
      'created_from=2020-01-02T00:30:00%2B01:00&created_to=2020-01-03&level=gold': [second, third],
      'level=gold&verified=true': [first, third],
      'level=gold&verified=false': [second],
      'last_login_from=2020-06-01&last_login_to=2020-06-02': [first],
      'last_login_from=2020-06-02': [third, fourth],
      'level=gold&sort=-last_login_at': [third, first, second],
    };
    for (const [query, ids] of Object.entries(expected)) {
      const { status, body } = await list(query);
      assert.equal(status, 200, query);
      assert.deepEqual(pluck(body.data, 'id'), ids, query);
      assert.equal(body.next_cursor, null);
    }
  });
});

describeOnSqlite('GET /api/v1/users with PUBLIC_URL', (engine) => {
  test('GET /api/v1/users returns links below PUBLIC_URL', async (context) => {
    const environment = { PUBLIC_URL: 'https://desk.example.com/' };
    const service = await openService(context, engine, { environment });
    await insertTestUser(service.database);
    await insertTestUser(service.database);
    const { headers, body } = await service.api.get('/api/v1/users?limit=1', admin);
    const url = 'https://desk.example.com/api/v1/users?limit=1';
    const expected = `<${url}&cursor=${body.next_cursor}>; rel="next", <${url}>; rel="first"`;
    assert.equal(headers.get('link'), expected);
  });
});

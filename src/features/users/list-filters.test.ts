import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnSqlite } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, startService, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';

const SET_TIMES = sql('update users set email_verified_at = $2, last_login_at = $3 where id = $1');
const admin = { token: ADMIN_TOKEN };

describeOnSqlite('filters of GET /api/v1/users', (engine) => {
  const service = useService(engine);
  const list = (query: string) => service.api.get(`/api/v1/users?${query}`, admin);

  test('filters of GET /api/v1/users restrict the list to a state, an email or both', async () => {
    const owner = await createUnclaimedUser(service);
    await insertTestUser(service.service.database);
    const { id: copy } = (await service.api.post('/api/v1/users', { email: owner.email })).body.data;
    const listIds = async (query: string) =>
      (await list(query)).body.data.map(({ id }: { id: string }) => id);
    const email = encodeURIComponent(owner.email);
    assert.deepEqual(await listIds(`email=${email}`), [owner.id, copy]);
    assert.deepEqual(await listIds(`email=%20${email.toUpperCase()}`), [owner.id, copy]);
    assert.deepEqual(await listIds('state=unclaimed'), [owner.id, copy]);
    assert.deepEqual(await listIds(`email=${email}&state=unclaimed`), [owner.id, copy]);
    assert.deepEqual(await listIds(`email=${email}&state=active`), []);
    assert.deepEqual(await listIds(`email=${email.slice(0, -1)}`), []);
  });

  test('filters of GET /api/v1/users by time, level and verification can be combined', async () => {
    const { database } = service.service;
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
      'level=gold': [first, second, third],
      'level=gol': [],
      'created_from=2020-01-01&created_to=2020-01-02': [first, second],
      'created_from=2020-01-02&created_to=2020-01-03': [third, fourth],
      'created_to=2020-01-02T00:00:00.001Z': [first, second, third, fourth],
      'created_to=2020-01-02T00:00:00Z': [first, second],
      'created_from=2020-01-02T00:30:00%2B01:00&created_to=2020-01-03&level=gold': [second, third],
      'level=gold&verified=true': [first, third],
      'level=gold&verified=false': [second],
      'last_login_from=2020-06-01&last_login_to=2020-06-02': [first],
      'last_login_from=2020-06-02': [third, fourth],
      'last_login_to=2020-06-02&sort=-last_login_at': [first],
      'level=gold&sort=last_login_at': [first, third, second],
      'level=gold&sort=-last_login_at': [third, first, second],
      'created_from=2030-01-01&created_to=2020-01-01': [],
    };
    for (const [query, ids] of Object.entries(expected)) {
      const { status, body } = await list(query);
      assert.equal(status, 200, query);
      assert.deepEqual(
        body.data.map(({ id }: { id: string }) => id),
        ids,
        query,
      );
      assert.equal(body.next_cursor, null);
    }
  });

  test('GET /api/v1/users rejects wrong filters and orders with 400 that names the parameter', async () => {
    for (const query of [
      ...['state=gone', 'state=', 'state=active&state=active', 'email=a&email=b', 'email=a%00b'],
      ...['order=name', 'order=created_at&sort=created_at', 'sort=', 'sort=--name', 'level=a%00b'],
      ...['verified=1', 'created_from=yesterday', 'created_to=2026-01-01T00:00:00'],
      ...['last_login_from=1767225600', 'last_login_to=2026-01-01%2000:00:00Z'],
    ]) {
      const { status, body } = await list(query);
      assert.deepEqual([status, body.code], [400, 'invalid_filter'], query);
      assert.ok(body.error.startsWith(`${query.split('=')[0]} `), body.error);
    }
  });
});

describeOnSqlite('GET /api/v1/users with PUBLIC_URL', (engine) => {
  test('GET /api/v1/users returns links below PUBLIC_URL', async () => {
    const environment = { PUBLIC_URL: 'https://desk.example.com/' };
    const service = await startService(engine, { environment });
    try {
      await insertTestUser(service.service.database);
      await insertTestUser(service.service.database);
      const { headers, body } = await service.api.get('/api/v1/users?limit=1', admin);
      const url = 'https://desk.example.com/api/v1/users?limit=1';
      const expected = `<${url}&cursor=${body.next_cursor}>; rel="next", <${url}>; rel="first"`;
      assert.equal(headers.get('link'), expected);
    } finally {
      await service.stop();
    }
  });
});

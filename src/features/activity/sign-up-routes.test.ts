import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberAllEvents } from '../../../test/support/events.ts';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, newUserData, useService } from '../../../test/support/service.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { sql } from '../../database/database.ts';
import { DAY } from '../../lib/time.ts';
import { groupSignUps, MAX_READ } from './group-sign-ups.ts';

const PATH = '/api/v1/users/sign-ups';
const toDate = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Users of one domain, without events. */
const INSERT = sql(`
  with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < $1)
  insert into users (id, created_at, updated_at, email, email_key, owns_email, state, version)
  select 'wave-' || i, $2 + i, $2, i || '@wave.example', i || '@wave.example', 1, 'active', 1 from n`);

describeOnEachEngine('GET /api/v1/users/sign-ups', (engine) => {
  const service = useService(engine, { environment: { TRUST_PROXY: 'loopback' } });
  const { database } = service;
  const get = (query: string, token: string | undefined = ADMIN_TOKEN) =>
    service.api.get(`${PATH}?${query}`, { token });

  test('GET /api/v1/users/sign-ups groups the new users of a span by the domain of their email', async () => {
    const createdAt = Date.now() - 40 * DAY;
    for (const emailKey of ['a@one.example', 'b@one.example', 'c@two.example', null])
      await insertTestUser(database, { createdAt, emailKey });
    await insertTestUser(database, { createdAt: createdAt + DAY, emailKey: 'd@later.example' });
    const span = `from=${toDate(createdAt)}&to=${toDate(createdAt + DAY)}`;
    const { status, body } = await get(`by=domain&${span}`);
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      counted: 4,
      is_complete: true,
      groups: [
        { value: 'one.example', count: 2 },
        { value: null, count: 1 },
        { value: 'two.example', count: 1 },
      ],
    });
  });

  test('GET /api/v1/users/sign-ups groups new users by the network from which they were created', async () => {
    const today = toDate(Date.now());
    for (const address of ['203.0.113.7', '203.0.113.9', '2001:db8:1:2::3']) {
      const headers = { 'x-forwarded-for': address };
      const { status } = await service.api.post('/api/register', newUserData(), { headers });
      assert.equal(status, 201);
    }
    await numberAllEvents(database);
    const { data } = (await get(`by=network&from=${today}`)).body;
    assert.deepEqual(data.groups, [
      { value: '203.0.113.0/24', count: 2 },
      { value: '2001:db8:1::/48', count: 1 },
    ]);
    assert.equal((await get(`by=network&from=${toDate(Date.now() + 2 * DAY)}`)).body.data.counted, 0);
  });

  test('groups of new users are lower limits when there are more users than one request reads', async () => {
    const from = Date.UTC(2020, 0, 1);
    await database.transaction((tx) => tx.run(INSERT, MAX_READ + 1, from));
    const groups = await groupSignUps(database, 'domain', { from, to: from + DAY });
    assert.deepEqual(groups, {
      counted: MAX_READ,
      is_complete: false,
      groups: [{ value: 'wave.example', count: MAX_READ }],
    });
    const others = await groupSignUps(database, 'domain', { from: from + 2, to: from + DAY });
    assert.equal(others.is_complete, true);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, startService, useService } from '../../../test/support/service.ts';
import { createUnclaimedUser, insertTestUser } from '../../../test/support/users.ts';

const admin = { token: ADMIN_TOKEN };
const NEXT = /^<([^>]+)>; rel="next", <([^>]+)>; rel="first"$/;

describeOnEachEngine('filters of GET /api/v1/users', (engine) => {
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

  test('filters of GET /api/v1/users are repeated in the links to other pages', async () => {
    const { email } = await createUnclaimedUser(service);
    await service.api.post('/api/v1/users', { email });
    const { headers, body } = await list(`state=unclaimed&limit=1&email=${encodeURIComponent(email)}`);
    const [, next, first] = NEXT.exec(headers.get('link')!)!;
    const parameters = (path: string) => Object.fromEntries(new URL(path, 'http://x').searchParams);
    assert.deepEqual(parameters(first!), { state: 'unclaimed', email, limit: '1' });
    assert.deepEqual(parameters(next!), { ...parameters(first!), cursor: body.next_cursor });
    assert.equal((await service.api.get(next!, admin)).body.data.length, 1);
  });

  for (const query of [
    'state=gone',
    'state=',
    'state=active&state=active',
    'email=a&email=b',
    'email=a%00b',
    'order=name',
    'order=',
    'order=created_at&order=created_at',
    'order=created_at&search=a',
    'order=-created_at&search=a',
  ]) {
    test(`GET /api/v1/users rejects ${query} with 400`, async () => {
      const { status, body } = await list(query);
      assert.equal(status, 400);
      assert.equal(body.code, 'invalid_filter');
    });
  }
});

describeOnEachEngine('GET /api/v1/users with PUBLIC_URL', (engine) => {
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

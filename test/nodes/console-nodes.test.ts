import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeRole, signInAs } from '../support/administrators.ts';
import type { ApiRequest } from '../support/api.ts';
import { fromConsole, SESSION_PATH, signIn } from '../support/browser/console-session.ts';
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/runner/engines.ts';
import { ADMIN_TOKEN, startService, type TestService } from '../support/service.ts';

const OTHER = 'another-administrator-credential';

describeOnPostgres('sessions of the console on two nodes of one PostgreSQL database', () => {
  let testDatabase: TestDatabase;
  let one: TestService;
  let two: TestService;
  const start = (adminToken: string) =>
    startService('postgres', { testDatabase, environment: { ADMIN_TOKEN: adminToken } });
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    one = await start(ADMIN_TOKEN);
    two = await start(ADMIN_TOKEN);
  });
  after(async () => {
    for (const node of [one, two]) await node.stop();
    await testDatabase.remove();
  });

  const statuses = (cookie: string) =>
    Promise.all(
      [one, two].map(
        async ({ api }) => (await api.get('/api/v1/admin/dashboard', fromConsole(cookie))).status,
      ),
    );

  test('console sessions that begin on one node are accepted by the other, until they end on either', async () => {
    const cookie = await signIn(one);
    assert.deepEqual(await statuses(cookie), [200, 200]);
    assert.equal((await two.api.delete(SESSION_PATH, fromConsole(cookie))).status, 204);
    assert.deepEqual(await statuses(cookie), [401, 401]);
  });

  test('console sessions that begin on one node end with a sign-in on the other that has their cookie', async () => {
    const cookie = await signIn(one);
    const body = { credential: ADMIN_TOKEN };
    assert.equal((await two.api.post(SESSION_PATH, body, fromConsole(cookie))).status, 201);
    assert.deepEqual(await statuses(cookie), [401, 401]);
  });

  test('console sessions of a credential are at most ten again with the first sign-in after concurrent ones on both nodes', async () => {
    const cookies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signIn(index % 2 === 0 ? one : two)),
    );
    const last = await signIn(one);
    const live = (await Promise.all(cookies.map(statuses))).filter(([status]) => status === 200);
    assert.equal(live.length, 9);
    assert.deepEqual(await statuses(last), [200, 200]);
  });

  test('a role that is taken away on one node is refused by the other at the next request', async () => {
    const owner = await signInAs(one, 'owner');
    assert.deepEqual(await statuses(owner.cookie), [200, 200]);
    const send = (method: string, path: string, request: ApiRequest) =>
      two.api.request(method, path, { token: ADMIN_TOKEN, ...request });
    assert.equal((await changeRole(send, owner, null)).status, 200);
    assert.deepEqual(await statuses(owner.cookie), [403, 403]);
  });

  test('console sessions end on each node that no longer accepts their credential', async () => {
    const cookie = await signIn(one);
    await two.stop();
    two = await start(`${OTHER},${ADMIN_TOKEN}`);
    assert.deepEqual(await statuses(cookie), [200, 200]);
    await two.stop();
    two = await start(OTHER);
    assert.deepEqual(await statuses(cookie), [200, 401]);
    await one.stop();
    one = await start(OTHER);
    assert.deepEqual(await statuses(cookie), [401, 401]);
  });
});

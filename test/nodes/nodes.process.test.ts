import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUserData } from '../support/environment.ts';
import { keyed, newKey, replayed } from '../support/keyed.ts';
import { pluck } from '../support/pluck.ts';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/runner/engines.ts';

const SECRET_KEY = 'the-common-secret-of-all-nodes-of-a-database';

describeOnPostgres('two nodes that start together on a new PostgreSQL database', () => {
  let testDatabase: TestDatabase;
  let one: ServiceProcess;
  let other: ServiceProcess;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    const start = () => startProcess(testDatabase, { SECRET_KEY });
    [one, other] = await Promise.all([start(), start()]);
  });
  after(async () => {
    const endings = await Promise.all([one.kill('SIGTERM'), other.kill('SIGTERM')]);
    await testDatabase.remove();
    assert.deepEqual(pluck(endings, 'code'), [0, 0]);
  });

  test('two nodes that start together on a new PostgreSQL database are both ready', async () => {
    for (const { api } of [one, other]) assert.equal((await api.get('/readyz')).status, 200);
  });

  test('two nodes accept users and tokens of each other, and reject a token after a logout on either', async () => {
    const user = newUserData();
    const token = (await one.api.post('/api/register', user)).body.access_token;
    assert.equal((await other.api.get('/api/v1/me', { token })).body.data.email, user.email);
    const second = (await other.api.post('/api/login', user)).body.access_token;
    assert.equal((await one.api.get('/api/v1/me', { token: second })).status, 200);
    assert.equal((await other.api.post('/api/logout', undefined, { token })).status, 200);
    for (const { api } of [one, other]) {
      assert.equal((await api.get('/api/v1/me', { token })).status, 401);
      assert.equal((await api.get('/api/v1/me', { token: second })).status, 200);
    }
  });

  test('one of fifty equal concurrent registrations on two nodes succeeds, and the others get its replay', async () => {
    const nodes = [one, other];
    const [registration, key] = [newUserData(), newKey()];
    const send = ({ api }: ServiceProcess) => api.post('/api/register', registration, keyed(key));
    const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => send(nodes[index % 2]!)));
    for (const { status, body, headers } of responses.filter(({ status }) => status !== 201)) {
      assert.deepEqual([status, body.code], [409, 'idempotency_key_in_use']);
      assert.equal(headers.get('retry-after'), '1');
    }
    const succeeded = responses.filter(({ status }) => status === 201);
    const [processed, ...others] = succeeded.filter((response) => replayed(response) === null);
    assert.deepEqual(others, []);
    for (const node of nodes) {
      const replay = await send(node);
      assert.deepEqual([replay.text, replayed(replay)], [processed!.text, 'true']);
      const { access_token: token } = replay.body;
      assert.equal((await node.api.get('/api/v1/me', { token })).status, 200);
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { ApiResponse } from '../support/api.ts';
import { keyed, newKey, ONE_ACCOUNT, ONE_RECORD, replayed, watchTally } from '../support/keyed.ts';
import { type ServiceProcess, startProcess } from '../support/processes/process.ts';
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/runner/engines.ts';
import { newUserData } from '../support/service.ts';

const SECRET_KEY = 'the-common-secret-of-all-nodes-of-a-database';

describeOnPostgres('an Idempotency-Key sent to two nodes of one PostgreSQL database', () => {
  let testDatabase: TestDatabase;
  let nodes: ServiceProcess[];
  let database: Database;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    const start = () => startProcess(testDatabase, { SECRET_KEY });
    nodes = await Promise.all([start(), start()]);
    const { url: databaseUrl, directory: dataDir } = testDatabase;
    database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.kill('SIGTERM')));
    await database.close();
    await testDatabase.remove();
  });

  /** Sends concurrent requests to alternating nodes. */
  const spread = (count: number, send: (node: ServiceProcess, index: number) => Promise<ApiResponse>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(nodes[index % nodes.length]!, index)));

  test('one of fifty equal concurrent registrations on two nodes succeeds, and the others get its replay', async () => {
    const [registration, key] = [newUserData(), newKey()];
    const added = await watchTally(database);
    const send = ({ api }: ServiceProcess) => api.post('/api/register', registration, keyed(key));
    const responses = await spread(50, send);
    for (const { status, body, headers } of responses.filter(({ status }) => status !== 201)) {
      assert.equal(status, 409);
      assert.equal(body.code, 'idempotency_key_in_use');
      assert.equal(headers.get('retry-after'), '1');
    }
    const processed = responses.filter((response) => response.status === 201 && replayed(response) === null);
    assert.equal(processed.length, 1);
    // The response is stored now, so retries do not have to wait.
    const final = await spread(50, async (node, index) =>
      responses[index]!.status === 201 ? responses[index]! : send(node),
    );
    assert.deepEqual(new Set(final.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(new Set(final.map(({ text }) => text)), new Set([processed[0]!.text]));
    assert.equal(final.filter((response) => replayed(response) === null).length, 1);
    assert.deepEqual(await added(), ONE_ACCOUNT);
    const { access_token: token } = processed[0]!.body;
    for (const { api } of nodes) assert.equal((await api.get('/api/v1/me', { token })).status, 200);
  });

  test('one of twenty concurrent requests with one key and different bodies succeeds, and the others get 422', async () => {
    const key = newKey();
    const added = await watchTally(database);
    const responses = await spread(20, ({ api }, index) =>
      api.post('/api/v1/users', { name: `Body ${index}` }, keyed(key)),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(19).fill(422)]);
    assert.deepEqual(await added(), ONE_RECORD);
  });
});

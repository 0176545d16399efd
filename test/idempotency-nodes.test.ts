import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open.ts';
import type { ApiResponse } from './support/api.ts';
import { createTestDatabase, type TestDatabase } from './support/engines.ts';
import { keyed, newKey, ONE_ACCOUNT, ONE_RECORD, replayed, watchTally } from './support/keyed.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';
import { newPerson } from './support/service.ts';

const SECRET_KEY = 'the-one-secret-of-all-nodes-of-this-database';

describe('one key at two nodes of one PostgreSQL database', () => {
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

  /** Sends `count` requests at once, in turn to one node and the other. */
  const spread = (count: number, send: (node: ServiceProcess, index: number) => Promise<ApiResponse>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(nodes[index % nodes.length]!, index)));

  test('of fifty equal registrations at once one is carried out, and all get its answer', async () => {
    const [person, key] = [newPerson(), newKey()];
    const added = await watchTally(database);
    const send = ({ api }: ServiceProcess) => api.post('/api/register', person, keyed(key));
    const answers = await spread(50, send);
    for (const { status, body, headers } of answers.filter(({ status }) => status !== 201)) {
      assert.equal(status, 409);
      assert.equal(body.code, 'idempotency_key_in_use');
      assert.equal(headers.get('retry-after'), '1');
    }
    const carriedOut = answers.filter((answer) => answer.status === 201 && replayed(answer) === null);
    assert.equal(carriedOut.length, 1);
    // It has been answered, so nobody has to wait any longer.
    const final = await spread(50, async (node, index) =>
      answers[index]!.status === 201 ? answers[index]! : send(node),
    );
    assert.deepEqual(new Set(final.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(new Set(final.map(({ text }) => text)), new Set([carriedOut[0]!.text]));
    assert.equal(final.filter((answer) => replayed(answer) === null).length, 1);
    assert.deepEqual(await added(), ONE_ACCOUNT);
    const { access_token: token } = carriedOut[0]!.body;
    for (const { api } of nodes) assert.equal((await api.get('/api/v1/me', { token })).status, 200);
  });

  test('of twenty different bodies at once one is carried out', async () => {
    const key = newKey();
    const added = await watchTally(database);
    const answers = await spread(20, ({ api }, index) =>
      api.post('/api/v1/users', { name: `Body ${index}` }, keyed(key)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(422)]);
    assert.deepEqual(await added(), ONE_RECORD);
  });
});

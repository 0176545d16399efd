import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { admin } from '../support/environment.ts';
import { keyed, newKey, readTally, replayed } from '../support/keyed.ts';
import { startProcess } from '../support/processes/process.ts';
import { createCurrentDatabase } from '../support/runner/engines.ts';
import { until } from '../support/until.ts';

const EVENTS = sql<{ type: string; count: number }>(
  'select type, count(*) as count from events group by type order by type',
);

/** A statement that never ends: the kill comes in the middle of the batch, however late it is. */
const STOP_AT_USER = sql(`
  create trigger stop before insert on users when new.email = 'user-200@batch.example'
  begin select count(*) from users a, users b, users c, users d, users e; end`);
const GO_ON = sql('drop trigger stop');

/** 500 users, and 500 changes of those that another request has created. */
function createOperations(ids: readonly string[]) {
  return Array.from({ length: 500 }, (_, index) => [
    { action: 'create', user: { name: `User ${index}`, email: `user-${index}@batch.example` } },
    { action: 'update', id: ids[index % ids.length], changes: { user_metadata: { seen: index } } },
  ]).flat();
}

test('a batch of users that a kill has interrupted continues when it is repeated, and processes no operation twice', async (context) => {
  const testDatabase = await openTestDatabase(context, 'sqlite', createCurrentDatabase);
  const { url: databaseUrl, directory: dataDir } = testDatabase;
  const database = openDatabase({ databaseUrl, dataDir, databasePool: 1 });
  context.after(() => database.close());
  await database.transaction((tx) => tx.run(STOP_AT_USER));
  const first = await startProcess(testDatabase);
  const accounts = Array.from({ length: 10 }, (_, index) => ({
    action: 'create',
    user: { name: `Account ${index}`, email: `account-${index}@batch.example` },
  }));
  const created = await first.api.post('/api/v1/users/batch', { operations: accounts }, admin);
  const ids: string[] = created.body.data.map(({ data }: { data: { id: string } }) => data.id);
  const body = { operations: createOperations(ids) };
  const request = keyed(newKey(), admin);
  const interrupted = first.api.post('/api/v1/users/batch', body, request).then(
    () => 'complete',
    () => 'lost',
  );
  await until(async () => (await readTally(database)).users >= 60, 'the users of two steps are stored');
  await first.kill('SIGKILL');
  assert.equal(await interrupted, 'lost');
  await database.transaction((tx) => tx.run(GO_ON));

  const second = await startProcess(testDatabase);
  const repeated = await second.api.post('/api/v1/users/batch', body, request);
  assert.deepEqual([repeated.status, repeated.body.failed, replayed(repeated)], [200, 0, null]);
  const statuses = repeated.body.data.map(({ status }: { status: number }) => status);
  assert.deepEqual(statuses, Array.from({ length: 500 }, () => [201, 200]).flat());
  const replay = await second.api.post('/api/v1/users/batch', body, request);
  assert.deepEqual([replay.text, replayed(replay)], [repeated.text, 'true']);
  const { body: last } = await second.api.get(`/api/v1/users/${ids[9]}`, admin);
  // Each change increments the version: fifty of each user.
  assert.deepEqual([last.data.version, last.data.user_metadata], [51, { seen: 499 }]);
  await second.kill('SIGTERM');

  const { users, responses, claims } = await readTally(database);
  assert.deepEqual([users, responses, claims], [510, 20, 0]);
  const events = await database.all(EVENTS);
  const counts = Object.fromEntries(events.map(({ type, count }) => [type, count]));
  assert.deepEqual([counts['user.created'], counts['user.updated']], [510, 500]);
});

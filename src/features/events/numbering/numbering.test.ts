import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { useDatabase } from '../../../../test/support/database.ts';
import { insertTestEvents } from '../../../../test/support/events.ts';
import { countCommits } from '../../../../test/support/kills/count-commits.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { until } from '../../../../test/support/until.ts';
import type { Database } from '../../../database/database.ts';
import { createLog } from '../../../lib/log/log.ts';
import { readChain } from '../queries.ts';
import { getBatchSize, numberEvents } from './number-events.ts';
import { startNumbering } from './numbering.ts';

describeStorage('the numbering of events', (engine) => {
  const { database } = useDatabase(engine);
  const start = (replaced: Partial<Database> = {}) =>
    startNumbering({ database: { ...database, ...replaced }, clock: Date.now, logger: createLog('silent') });

  test('a backlog of several batches is numbered after one call', async () => {
    const count = 3 * getBatchSize(database);
    const { number } = await readChain(database);
    await insertTestEvents(database, `${engine}-backlog-of-the-numbering-`, count);
    const numbering = start();
    await numbering.flush();
    await until(async () => (await readChain(database)).number === number + count, 'all are numbered');
    await numbering.close();
  });

  test('a reader waits at most 250 ms while another node holds the numbering', async () => {
    await insertTestEvents(database, `${engine}-held-by-another-node-----`, 1);
    const held = Promise.withResolvers<void>();
    const transaction: Database['transaction'] = async (work) => {
      await held.promise;
      return database.transaction(work);
    };
    const { number } = await readChain(database);
    const numbering = start({ transaction });
    await numbering.flush();
    assert.equal((await readChain(database)).number, number);
    held.resolve();
    await numbering.close();
    assert.equal((await readChain(database)).number, number + 1);
  });
});

describe('the numbering of events on SQLite', () => {
  const { database, testDatabase } = useDatabase('sqlite');

  test('events are numbered in the commit of transactions that wait', async ({ mock }) => {
    // The time that a group may take does not pass.
    mock.method(performance, 'now', () => 0);
    await insertTestEvents(database, 'numbered-in-a-shared-commit-', 1);
    const { number } = await readChain(database);
    const file = join(testDatabase.directory, 'frontdesk.db');
    const commits = countCommits(file);
    const insert = (userId: string) => insertTestEvents(database, userId, 1);
    await Promise.all([
      insert('first-of-the-shared-commit-'),
      insert('second-of-the-shared-commit'),
      numberEvents(database),
    ]);
    assert.equal(countCommits(file) - commits, 1);
    assert.equal((await readChain(database)).number, number + 3);
  });
});

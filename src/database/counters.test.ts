import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCurrentDatabase, describeStorage } from '../../test/support/runner/engines.ts';
import { readCounterPeriods } from './counters.ts';
import { openDatabase } from './open.ts';

describeStorage('counters of a transaction', (engine) => {
  test('a transaction stores all of its counters when they need several statements', async (context) => {
    const { url, directory, remove } = await createCurrentDatabase(engine);
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
    context.after(() => database.close().then(remove));
    const periods = Array.from({ length: 1_200 }, (_, index) => index + 1);
    await database.transaction(async (tx) => {
      for (const period of periods) tx.count('of the test', period, period);
    });
    const stored = await readCounterPeriods(database, { name: 'of the test', from: 0, to: 2_000 });
    assert.deepEqual(
      [...stored].sort(([a], [b]) => a - b),
      periods.map((period) => [period, period]),
    );
  });
});

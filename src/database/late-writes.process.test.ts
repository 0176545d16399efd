import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import SQLite from 'better-sqlite3';
import { useDatabase } from '../../test/support/database.ts';
import { pluck } from '../../test/support/pluck.ts';
import { describeStorage } from '../../test/support/runner/engines.ts';
import { insertTestUser } from '../../test/support/users.ts';
import { readCounter, readCounterPeriods } from './counters.ts';
import { sql, type Tx } from './database.ts';

const TEXTS = sql<{ content: string }>('select content from user_texts where user_id = $1');
const DELETE_USER = sql('delete from users where id = $1');

describeStorage('late writes of a transaction', (engine) => {
  const { database } = useDatabase(engine);

  test('a transaction stores all of its counters when they need several statements', async () => {
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

  test('concurrent transactions store the last text of each user, and no text of a deleted user', async () => {
    const [kept, deleted] = [await insertTestUser(database), await insertTestUser(database)];
    await Promise.all([
      database.transaction(async (tx) => {
        tx.setText(kept.id, 'first');
        tx.setText(kept.id, 'last');
      }),
      database.transaction(async (tx) => {
        tx.setText(deleted.id, 'text');
        await tx.run(DELETE_USER, deleted.id);
      }),
    ]);
    assert.deepEqual(await database.all(TEXTS, kept.id), [{ content: 'last' }]);
    assert.deepEqual(await database.all(TEXTS, deleted.id), []);
  });
});

describe('late writes of transactions that share a commit on SQLite', () => {
  const { database } = useDatabase('sqlite');
  // The time that a group may take does not pass.
  beforeEach(() => void mock.method(performance, 'now', () => 0));
  afterEach(() => mock.restoreAll());
  const count = async (tx: Tx) => {
    tx.count('shared', 0, 1);
    return readCounter(tx, 'shared');
  };
  /** Returns the function that counts executed statements with a text. */
  const watchStatements = () => {
    const statements: SQLite.Statement = Object.getPrototypeOf(new SQLite(':memory:').prepare('select 1'));
    const run = mock.method(statements, 'run').mock;
    return (text: string) =>
      run.calls.filter((call) => (call.this as SQLite.Statement).source.includes(text)).length;
  };

  test('transactions that share a commit write counters and texts once, without those of a failed one', async () => {
    const { id } = await insertTestUser(database);
    const countStatements = watchStatements();
    const failed = async (tx: Tx) => {
      tx.setText(id, 'of the failed one');
      await count(tx);
      throw new Error('changed my mind');
    };
    const setText = async (tx: Tx): Promise<unknown> => tx.setText(id, 'of the last but one');
    const outcomes = await Promise.allSettled(
      [count, count, setText, failed, count].map((work) => database.transaction<unknown>(work)),
    );
    assert.deepEqual(pluck(outcomes, 'status'), [
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    assert.equal(await readCounter(database, 'shared'), 3);
    assert.deepEqual(await database.all(TEXTS, id), [{ content: 'of the last but one' }]);
    assert.deepEqual([countStatements('into counters'), countStatements('into user_texts')], [1, 1]);
  });

  test('a transaction reads a counter with the changes of those that share its commit', async () => {
    const start = await readCounter(database, 'shared');
    const seen = await Promise.all([count, count, count].map((work) => database.transaction(work)));
    assert.deepEqual(seen, [start, start + 1, start + 2]);
  });
});

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { useDatabase } from '../../test/support/database.ts';
import { createTestDatabase, describeStorage } from '../../test/support/runner/engines.ts';
import { sql, type Tx, UniqueViolation } from './database.ts';
import { openDatabase } from './open.ts';

const INSERT = sql('insert into counters (id, amount) values ($1, 0)');
const ADD_ONE = sql('update counters set amount = amount + 1 where id = $1');
const FIND = sql<{ amount: number }>('select amount from counters where id = $1');
const COUNT = sql<{ count: number }>('select count(*) as count from counters');
const NO_SUCH_TABLE = sql('insert into no_such_table (id) values ($1)');

describeStorage('a transaction', (engine) => {
  const { database, testDatabase } = useDatabase(engine, createTestDatabase);
  const open = () =>
    openDatabase({ databaseUrl: testDatabase.url, dataDir: testDatabase.directory, databasePool: 4 });
  const insert = (tx: Tx, id: string) => tx.run(INSERT, id);

  before(async () => {
    const { key, integer } = database.dialect;
    const table = `create table counters (id ${key} primary key, amount ${integer} not null)`;
    await database.transaction((tx) => tx.run(sql(table)));
  });
  beforeEach(() => database.transaction((tx) => tx.run(sql('delete from counters'))));

  test('a transaction returns the result of its work and keeps its writes', async () => {
    const changed = await database.transaction(async (tx) => {
      await insert(tx, 'kept');
      assert.equal(await tx.run(ADD_ONE, 'unknown'), 0);
      assert.equal((await tx.get(FIND, 'kept'))?.amount, 0, 'a transaction reads its own writes');
      return tx.run(ADD_ONE, 'kept');
    });
    assert.equal(changed, 1);
    assert.equal((await database.get(FIND, 'kept'))?.amount, 1);
  });

  test('a transaction rolls back and rethrows when its work throws', async () => {
    const failure = new Error('changed my mind');
    const transaction = database.transaction(async (tx) => {
      await insert(tx, 'lost');
      throw failure;
    });
    await assert.rejects(transaction, (error) => error === failure);
    assert.equal(await database.get(FIND, 'lost'), undefined);
  });

  test('a statement after the end of its transaction is rejected, and does not join the next transaction', async () => {
    let late: Tx | undefined;
    const keep = (tx: Tx) => {
      late = tx;
      return Promise.reject(new Error('changed my mind'));
    };
    await assert.rejects(database.transaction(keep), { message: 'changed my mind' });
    await database.transaction(async (tx) => {
      for (const write of [late!.run(INSERT, 'late'), late!.get(INSERT, 'late'), late!.all(INSERT, 'late')])
        await assert.rejects(write, { name: 'DatabaseUnavailable' });
      await insert(tx, 'next');
    });
    assert.deepEqual(await database.get(COUNT), { count: 1 });
  });

  test('a transaction works after more failed transactions than there are connections', async () => {
    for (let round = 0; round < 10; round++) {
      const transaction = database.transaction(async (tx) => {
        await insert(tx, 'lost');
        await tx.run(NO_SUCH_TABLE, 'first failure').catch(() => tx.run(NO_SUCH_TABLE, 'second failure'));
      });
      await assert.rejects(transaction);
    }
    await database.transaction((tx) => insert(tx, 'kept'));
    assert.deepEqual(await database.get(COUNT), { count: 1 });
  });

  test('a transaction that ignores a failed statement is not acknowledged and lost', async () => {
    const acknowledged = await database
      .transaction(async (tx) => {
        await insert(tx, 'before the failure');
        await insert(tx, 'before the failure').catch(() => {});
      })
      .then(() => true)
      .catch(() => false);
    assert.deepEqual(await database.get(COUNT), { count: acknowledged ? 1 : 0 });
  });

  test('a transaction runs statements that are awaited together in the order of their calls, and is rejected with the error of the first that fails', async () => {
    const [, , found] = await database.transaction((tx) =>
      Promise.all([insert(tx, 'one'), tx.run(ADD_ONE, 'one'), tx.get(FIND, 'one')]),
    );
    assert.equal(found?.amount, 1);
    const failing = database.transaction((tx) =>
      Promise.all([insert(tx, 'two'), insert(tx, 'two'), insert(tx, 'one')]),
    );
    await assert.rejects(failing, UniqueViolation);
    assert.deepEqual(await database.get(COUNT), { count: 1 });
  });

  test('a transaction whose counters cannot be written is rejected and rolled back', async () => {
    const transaction = database.transaction(async (tx) => {
      await insert(tx, 'lost');
      // The table of this suite has other columns.
      tx.count('of users', 0, 1);
    });
    await assert.rejects(transaction, /column/);
    assert.deepEqual(await database.get(COUNT), { count: 0 });
  });

  test('a transaction does not show uncommitted writes to reads outside, and does not block them', async () => {
    await database.transaction(async (tx) => {
      await insert(tx, 'uncommitted');
      assert.equal(await database.get(FIND, 'uncommitted'), undefined);
    });
    assert.notEqual(await database.get(FIND, 'uncommitted'), undefined);
  });

  test('a snapshot shows the database as it was at its first read, without later commits', async () => {
    await database.transaction((tx) => insert(tx, 'before'));
    await database.snapshot(async (reader) => {
      assert.deepEqual(await reader.get(COUNT), { count: 1 });
      await database.transaction((tx) => insert(tx, 'meanwhile'));
      assert.deepEqual(await reader.get(COUNT), { count: 1 });
    });
    assert.deepEqual(await database.get(COUNT), { count: 2 });
  });

  test('twenty concurrent transactions lose no increment', async () => {
    await database.transaction((tx) => insert(tx, 'counter'));
    const increment = () =>
      database.transaction(async (tx) => {
        await tx.run(ADD_ONE, 'counter');
        return (await tx.get(FIND, 'counter'))!.amount!;
      });
    const seen = await Promise.all(Array.from({ length: 20 }, increment));
    const oneToTwenty = Array.from({ length: 20 }, (_, index) => index + 1);
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      oneToTwenty,
    );
  });

  test('a transaction is finished before the database closes, and later ones are rejected', async () => {
    const closing = open();
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const transaction = closing.transaction(async (tx) => {
      await insert(tx, 'written at the last moment');
      begun.resolve();
      await mayEnd.promise;
    });
    await begun.promise;
    const closed = closing.close();
    mayEnd.resolve();
    await Promise.all([transaction, closed]);
    assert.notEqual(await database.get(FIND, 'written at the last moment'), undefined);
    await assert.rejects(closing.get(COUNT));
    await assert.rejects(closing.transaction((tx) => insert(tx, 'too late')));
  });
});

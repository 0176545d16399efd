import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/engines.ts';
import { type Database, DatabaseUnavailable, sql } from './database.ts';
import { openPostgres } from './postgres.ts';

const SERIALIZABLE = sql('set transaction isolation level serializable');
const PROCESS = sql<{ pid: number }>('select pg_backend_pid() as pid');
const SUM = sql<{ sum: number }>('select cast(sum(amount) as bigint) as sum from entries');
const INSERT = sql('insert into entries (amount) values ($1)');
const ADD = sql('update entries set amount = amount + 100 where amount = $1');

/** Returns a function whose promise resolves for all callers once as many as expected have called it. */
function barrier(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived++;
    if (arrived === expected) resolve();
    return promise;
  };
}

describe('PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    database = openPostgres(testDatabase.url!, 4);
    await database.transaction((tx) => tx.run(sql('create table entries (amount bigint not null)')));
    await database.transaction((tx) => tx.run(INSERT, 1));
  });
  after(async () => {
    await database.close();
    await testDatabase.remove();
  });

  test('limits a statement to ten seconds, but not those of exclusive transactions', async () => {
    const limit = sql<{ limit: string }>("select current_setting('statement_timeout') as limit");
    assert.deepEqual(await database.get(limit), { limit: '10s' });
    assert.deepEqual(await database.exclusively((tx) => tx.get(limit)), { limit: '0' });
  });

  test('retries the transaction that fails with a serialisation error', async () => {
    const bothHaveRead = barrier(2);
    let runs = 0;
    const addSum = () =>
      database.transaction(async (tx) => {
        runs++;
        await tx.run(SERIALIZABLE);
        const { sum } = (await tx.get(SUM))!;
        await bothHaveRead();
        await tx.run(INSERT, sum);
      });
    const { sum: before } = (await database.get(SUM))!;
    await Promise.all([addSum(), addSum()]);
    assert.equal(runs, 3);
    assert.equal((await database.get(SUM))!.sum, before * 4, 'each sum counts the other');
  });

  test('retries the transaction that a deadlock has ended', async () => {
    await database.transaction((tx) => tx.run(INSERT, 1_000_001));
    await database.transaction((tx) => tx.run(INSERT, 2_000_001));
    const bothHoldOne = barrier(2);
    const update = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await tx.run(sql("set local deadlock_timeout = '10ms'"));
        const changed = await tx.run(ADD, first);
        await bothHoldOne();
        return changed + (await tx.run(ADD, second));
      });
    const changed = await Promise.all([update(1_000_001, 2_000_001), update(2_000_001, 1_000_001)]);
    assert.equal(
      changed[0]! + changed[1]!,
      2,
      'each row once: the retried transaction found both rows changed',
    );
  });

  test('throws DatabaseUnavailable after three attempts at a transaction that cannot be serialised', async () => {
    let runs = 0;
    const fail = sql("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    const transaction = database.transaction((tx) => {
      runs++;
      return tx.run(fail);
    });
    await assert.rejects(transaction, DatabaseUnavailable);
    assert.equal(runs, 3);
  });

  test('throws DatabaseUnavailable for a statement that times out', async () => {
    const transaction = database.transaction(async (tx) => {
      await tx.run(sql("set local statement_timeout = '1ms'"));
      await tx.get(sql('select pg_sleep(60)'));
    });
    await assert.rejects(transaction, DatabaseUnavailable);
  });

  test('starts a clock that agrees with that of the server', async (context) => {
    const other = openPostgres(testDatabase.url!, 1);
    context.after(() => other.close());
    await other.get(PROCESS);
    const clock = await other.startClock(() => assert.fail('both clocks are those of this machine'));
    assert.ok(Math.abs(clock() - Date.now()) < 1_000);
  });

  for (const code of ['55P03', '25P03', '25P04', '25006', '57P01', '53300']) {
    test(`throws DatabaseUnavailable for SQLSTATE ${code}`, async () => {
      const reject = sql(`do $$ begin raise exception 'not now' using errcode = '${code}'; end $$`);
      await assert.rejects(database.get(reject), DatabaseUnavailable);
      await assert.rejects(
        database.transaction((tx) => tx.run(reject)),
        DatabaseUnavailable,
      );
    });
  }

  describe('its connection', () => {
    let single: Database;
    beforeEach(() => {
      single = openPostgres(testDatabase.url!, 1);
    });
    afterEach(() => single.close());
    const serverProcess = async () => (await single.get(PROCESS))!.pid;
    const stopServerProcess = async (context: TestContext) => {
      const pid = await serverProcess();
      process.kill(pid, 'SIGSTOP');
      context.after(() => process.kill(pid, 'SIGCONT'));
    };

    test('is reused after a failed statement, which leaves no state behind', async () => {
      const before = await serverProcess();
      const wrong = sql('select no_such_column from entries');
      await assert.rejects(single.get(wrong));
      await assert.rejects(single.transaction((tx) => tx.get(wrong)));
      await single.transaction(async (tx) => assert.deepEqual(await tx.get(PROCESS), { pid: before }));
    });

    test('is closed when the server accepts no writes', async () => {
      const before = await serverProcess();
      const write = single.transaction(async (tx) => {
        await tx.run(sql('set transaction read only'));
        await tx.run(INSERT, 1);
      });
      await assert.rejects(write, DatabaseUnavailable);
      assert.notEqual(await serverProcess(), before);
    });

    // The test's own time-out is the assertion: a stopped server process responds neither to a statement nor to a rollback.
    test('is closed without waiting for a rollback when the server hangs', {
      timeout: 15_000,
    }, async (context) => {
      await stopServerProcess(context);
      await assert.rejects(
        single.transaction((tx) => tx.run(INSERT, 1)),
        DatabaseUnavailable,
      );
      await single.transaction((tx) => tx.run(INSERT, 1));
    });

    test('fails a ping after a short time when the server hangs', { timeout: 6_000 }, async (context) => {
      await stopServerProcess(context);
      await assert.rejects(single.ping(), DatabaseUnavailable);
      await single.ping();
    });
  });

  test('throws DatabaseUnavailable without the password in its message when the server cannot be reached', async () => {
    const unreachable = openPostgres('postgres://user:the-password@127.0.0.1:1/some', 1);
    const hidesPassword = (error: Error) =>
      error instanceof DatabaseUnavailable && !error.message.includes('the-password');
    await assert.rejects(unreachable.get(SUM), hidesPassword);
    await assert.rejects(unreachable.ping(), hidesPassword);
    await assert.rejects(
      unreachable.transaction((tx) => tx.get(SUM)),
      hidesPassword,
    );
    assert.equal(unreachable.location, 'PostgreSQL 127.0.0.1:1/some');
    await unreachable.close();
  });
});

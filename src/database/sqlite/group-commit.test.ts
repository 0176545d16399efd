import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import { useDatabase } from '../../../test/support/database.ts';
import { countCommits } from '../../../test/support/kills/count-commits.ts';
import { createTestDatabase } from '../../../test/support/runner/engines.ts';
import { DatabaseUnavailable, sql, type Tx, UniqueViolation } from '../database.ts';

const INSERT = sql('insert into rows (id) values ($1)');
const INSERT_OR_ROLL_BACK = sql('insert or rollback into rows (id) values ($1)');
const INSERT_ORPHAN = sql("insert into rows (id, parent) values ($1, 'none')");
const IDS = sql<{ id: string }>('select id from rows order by id');
const EXTEND = sql("update rows set id = id || '.'");

/** Lists the open files that have no name, as the temporary ones of SQLite. */
const listUnnamedFiles = () =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.endsWith(' (deleted)') ? [file] : [];
    } catch {
      // The directory itself, which is closed again.
      return [];
    }
  });

describe('transactions that wait for each other on SQLite', () => {
  const { database, testDatabase } = useDatabase('sqlite', createTestDatabase);
  const countNewCommits = async (write: () => Promise<unknown>) => {
    const file = join(testDatabase.directory, 'frontdesk.db');
    const commits = countCommits(file);
    await write();
    return countCommits(file) - commits;
  };
  const insert = (id: string) => (tx: Tx) => tx.run(INSERT, id);
  const readIds = async () => (await database.all(IDS)).map(({ id }) => id);
  /** Returns the outcome of each transaction, and the rows that were committed when it was reported. */
  const runAtOnce = (works: readonly ((tx: Tx) => Promise<unknown>)[]) =>
    Promise.all(
      works.map((work) =>
        database.transaction(work).then(
          async () => ({ error: null, ids: await readIds() }),
          async (error: unknown) => ({ error, ids: await readIds() }),
        ),
      ),
    );

  before(async () => {
    const parent = 'references rows deferrable initially deferred';
    await database.transaction((tx) =>
      tx.run(sql(`create table rows (id text primary key, parent text ${parent})`)),
    );
  });
  // The time that a group may take passes in one of the tests only.
  let now = 0;
  beforeEach(() => void mock.method(performance, 'now', () => now));
  afterEach(() => mock.restoreAll());
  beforeEach(() => database.transaction((tx) => tx.run(sql('delete from rows'))));

  test('transactions that are queued at once on SQLite share one commit, after which each is reported', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `row ${String(index).padStart(2, '0')}`);
    const commits = await countNewCommits(async () => {
      for (const outcome of await runAtOnce(ids.map(insert))) assert.deepEqual(outcome, { error: null, ids });
    });
    assert.equal(commits, 1);
  });

  test('a transaction on SQLite that waits for no other is committed alone', async () => {
    assert.equal(await countNewCommits(() => database.transaction(insert('first'))), 1);
    assert.equal(await countNewCommits(() => database.transaction(insert('second'))), 1);
  });

  test('a long transaction on SQLite shares its commit with no other', async () => {
    const commits = await countNewCommits(() =>
      Promise.all([
        database.transaction(insert('before, 1')),
        database.transaction(insert('before, 2')),
        database.transaction(insert('long'), { isLong: true }),
        database.transaction(insert('after, 1')),
        database.transaction(insert('after, 2')),
      ]),
    );
    assert.equal(commits, 3);
  });

  test('a group of transactions on SQLite ends after a bounded number and a bounded time', async () => {
    const inserts = (prefix: string) =>
      Array.from({ length: 200 }, (_, index) => insert(`${prefix} ${index}`));
    assert.equal(await countNewCommits(() => runAtOnce(inserts('many'))), 4);
    const slowly = (id: string) => (tx: Tx) => {
      now += 20;
      return insert(id)(tx);
    };
    assert.equal(await countNewCommits(() => runAtOnce(['slow 1', 'slow 2', 'slow 3'].map(slowly))), 3);
  });

  test('a transaction on SQLite that fails is rolled back alone, and is reported after the commit that its reason depends on', async () => {
    const failure = new Error('changed my mind');
    const [first, duplicate, failed, last] = await runAtOnce([
      insert('a'),
      async (tx) => {
        await insert('b')(tx);
        await insert('a')(tx);
      },
      async (tx) => {
        await insert('c')(tx);
        throw failure;
      },
      insert('d'),
    ]);
    const ids = ['a', 'd'];
    assert.deepEqual(
      [first, last],
      [
        { error: null, ids },
        { error: null, ids },
      ],
    );
    assert.ok(duplicate!.error instanceof UniqueViolation);
    assert.deepEqual(duplicate!.ids, ids);
    assert.deepEqual(failed, { error: failure, ids });
  });

  test('transactions on SQLite that all fail write nothing to the disk', async () => {
    const fail = async (tx: Tx) => {
      await insert('lost')(tx);
      throw new Error('failed');
    };
    assert.equal(await countNewCommits(() => runAtOnce([fail, fail])), 0);
    assert.deepEqual(await readIds(), []);
  });

  test('a transaction on SQLite that fails before others is rolled back, and they share a commit without it', async () => {
    const failure = new Error('failed');
    const commits = await countNewCommits(async () => {
      const [failed, ...others] = await runAtOnce([
        async (tx) => {
          await insert('lost')(tx);
          throw failure;
        },
        insert('a'),
        insert('b'),
      ]);
      assert.equal(failed!.error, failure);
      for (const outcome of others) assert.deepEqual(outcome, { error: null, ids: ['a', 'b'] });
    });
    assert.equal(commits, 1);
  });

  const lost: Record<string, (tx: Tx) => Promise<unknown>> = {
    'the commit fails': (tx) => tx.run(INSERT_ORPHAN, 'orphan'),
    'a statement rolls all of them back': (tx) => tx.run(INSERT_OR_ROLL_BACK, 'a'),
    'a statement rolls all of them back and its error is ignored': (tx) =>
      tx.run(INSERT_OR_ROLL_BACK, 'a').catch(() => tx.run(INSERT, 'too late').catch(() => {})),
    'the database fails': () => Promise.reject(new DatabaseUnavailable('damaged')),
  };
  for (const [reason, work] of Object.entries(lost)) {
    test(`none of the transactions that share a commit on SQLite is acknowledged or stored when ${reason}`, async () => {
      const rejected = async () => Promise.reject(new Error('because of a row that is lost'));
      const outcomes = await runAtOnce([insert('a'), rejected, work]);
      for (const { error, ids } of outcomes) {
        assert.ok(error instanceof DatabaseUnavailable, String(error));
        assert.deepEqual(ids, []);
      }
      await database.transaction(insert('next'));
      assert.deepEqual(await readIds(), ['next']);
    });
  }

  test('a group of transactions on SQLite keeps copies of changed pages in memory, and a long one, which may have very many, in a file', async () => {
    await database.transaction(async (tx) => {
      for (let row = 0; row < 200; row++) await insert(`${row}`.padStart(1_000))(tx);
    });
    let opened: string[] = [];
    const extend = async (tx: Tx) => {
      // The statement is executed when it is called: nothing else opens a file meanwhile.
      const before = listUnnamedFiles();
      const changed = tx.run(EXTEND);
      opened = listUnnamedFiles().filter((file) => !before.includes(file));
      assert.equal(await changed, 200);
    };
    await Promise.all([database.transaction(async () => {}), database.transaction(extend)]);
    assert.deepEqual(opened, []);
    await database.transaction(extend, { isLong: true });
    assert.equal(opened.length, 1);
  });

  test('transactions on SQLite that share a commit run in the contexts of their callers', async () => {
    const context = new AsyncLocalStorage<number>();
    const run = (caller: number) =>
      context.run(caller, () => database.transaction(async () => context.getStore()));
    assert.deepEqual(await Promise.all([1, 2, 3].map(run)), [1, 2, 3]);
  });
});

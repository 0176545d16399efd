import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/arbitrary-text.ts';
import { useDatabase } from '../../test/support/database.ts';
import { createTestDatabase, describeStorage } from '../../test/support/runner/engines.ts';
import { DatabaseUnavailable, sql, type Tx, UniqueViolation, type Value } from './database.ts';

const INSERT = sql('insert into things (id, label, amount, content) values ($1, $2, $3, $4)');
const FIND = sql<{ label: string | null; amount: number | null; content: Uint8Array | null }>(
  'select label, amount, content from things where id = $1',
);
const COUNT = sql<{ count: number }>('select count(*) as count from things');
const NO_SUCH_TABLE = sql('insert into no_such_table (id) values ($1)');

describeStorage('the database', (engine) => {
  const { database } = useDatabase(engine, createTestDatabase);
  const insert = (tx: Tx, id: string, label: string | null = null) => tx.run(INSERT, id, label, 0, null);

  before(async () => {
    const { key, text, integer, bytes, tableOptions } = database.dialect;
    const columns = `id ${key} primary key, label ${text}, amount ${integer}, content ${bytes}`;
    await database.transaction((tx) => tx.run(sql(`create table things (${columns}) ${tableOptions}`)));
    await database.transaction((tx) => tx.run(sql('create unique index things_label on things (label)')));
  });
  beforeEach(() => database.transaction((tx) => tx.run(sql('delete from things'))));

  test('a statement binds each placeholder to the value of its number, in any order and number of uses', async () => {
    const values = ['first', 'second', 'third'];
    const positions = fc
      .tuple(fc.shuffledSubarray([1, 2, 3], { minLength: 3 }), fc.array(fc.integer({ min: 1, max: 3 })))
      .map(([each, more]) => [...each, ...more]);
    const returnsValues = async (order: number[]) => {
      const columns = order.map((position, index) => `cast($${position} as text) as c${index}`);
      const row = await database.get(sql<Record<string, string>>(`select ${columns}`), ...values);
      const expected = order.map((position) => values[position - 1]);
      assert.deepEqual(Object.values(row!), expected);
    };
    await fc.assert(fc.asyncProperty(positions, returnsValues), { numRuns: 30 });
  });

  test('a value that cannot be bound is reported as a programming error, not as DatabaseUnavailable', async () => {
    const value = {
      toPostgres() {
        throw new TypeError('not a value');
      },
    };
    const find = database.get(FIND, value as unknown as Value);
    await assert.rejects(find, (error) => !(error instanceof DatabaseUnavailable));
  });

  test('the database returns null, integers, text and bytes as they were stored', async () => {
    const text = anyText().filter((candidate) => !candidate.includes('\0'));
    const cell = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const values = [fc.uuid(), cell(text), cell(fc.maxSafeInteger()), cell(fc.uint8Array())] as const;
    const isReturned = async (id: string, label: Value, amount: Value, content: Value) => {
      await database.transaction((tx) => tx.run(sql('delete from things')));
      await database.transaction((tx) => tx.run(INSERT, id, label, amount, content));
      const row = await database.get(FIND, id);
      assert.deepEqual([row!.label, row!.amount], [label, amount]);
      assert.deepEqual(row!.content === null ? null : new Uint8Array(row!.content), content);
    };
    await fc.assert(fc.asyncProperty(...values, isReturned), { numRuns: 30 });
  });

  test('the database returns integers as numbers up to MAX_SAFE_INTEGER', async () => {
    const amounts = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    for (const amount of amounts) {
      await database.transaction((tx) => tx.run(INSERT, `of ${amount}`, null, amount, null));
      assert.equal((await database.get(FIND, `of ${amount}`))?.amount, amount);
    }
    assert.deepEqual(await database.get(COUNT), { count: amounts.length });
  });

  test('the database returns undefined or an empty list when no row matches', async () => {
    assert.equal(await database.get(FIND, 'unknown'), undefined);
    assert.deepEqual(await database.all(FIND, 'unknown'), []);
  });

  test('the database returns which tables exist', async () => {
    assert.deepEqual(
      [await database.hasTable('things'), await database.hasTable('no_such_table')],
      [true, false],
    );
  });

  test('the database throws UniqueViolation for a second row with the same key or value of a unique index', async () => {
    await database.transaction((tx) => insert(tx, 'one', 'label'));
    await assert.rejects(
      database.transaction((tx) => insert(tx, 'one', 'other label')),
      UniqueViolation,
    );
    await assert.rejects(
      database.transaction((tx) => insert(tx, 'other', 'label')),
      UniqueViolation,
    );
    assert.deepEqual(await database.get(COUNT), { count: 1 });
  });

  test('the database throws neither UniqueViolation nor DatabaseUnavailable for a wrong statement', async () => {
    const isPlain = (error: Error) => !/UniqueViolation|DatabaseUnavailable/.test(error.name);
    await assert.rejects(
      database.transaction((tx) => tx.run(NO_SUCH_TABLE, 'x')),
      isPlain,
    );
    await assert.rejects(database.get(sql('select no_such_column from things')), isPlain);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import SQLite from 'better-sqlite3';
import { createTestDatabase } from '../../../test/support/runner/engines.ts';
import { sql } from '../database.ts';
import { openDatabase } from '../open.ts';

const NUMBERS = sql<{ n: number }>(`
  with numbers (n) as (values (1), (2), (3))
  select n from numbers where n >= $2 and n like $3 order by n limit $1`);

test('statements with a limit and a pattern reach SQLite in a form that it compiles once for all executions', async (context) => {
  const prepare = context.mock.method(SQLite.prototype, 'prepare');
  const { url, directory, remove } = await createTestDatabase('sqlite');
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
  context.after(async () => {
    await database.close();
    await remove();
  });
  assert.deepEqual(await database.all(NUMBERS, 1, 2, '%'), [{ n: 2 }]);
  assert.deepEqual(await database.all(NUMBERS, 2, 1, '%'), [{ n: 1 }, { n: 2 }]);
  const texts = prepare.mock.calls.map(({ arguments: [text] }) => text);
  assert.deepEqual(
    texts.filter((text) => /(?:limit|like) \?/i.test(text)),
    [],
  );
  assert.equal(texts.filter((text) => text.includes('from numbers')).length, 1);
});

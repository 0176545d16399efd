import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { useDatabase } from '../../../test/support/database.ts';
import { insertTestUser } from '../../../test/support/users.ts';
import { toTrigrams } from '../../lib/text/search-text.ts';
import { type Database, sql } from '../database.ts';

const BLOCKS = sql<{ block: Uint8Array }>('select block from user_trigrams_data');
const DELETE = sql('delete from users where name_key = $1');
const RENAME = sql('update user_texts set content = $2 where content like $1');
/** Letters of no other name, so that their trigram is stored as a whole. */
const NAME = '𐌰𐌱𐌲';

describe('the search of texts in SQLite', () => {
  const { database } = useDatabase('sqlite');
  beforeEach(async () => {
    await database.transaction((tx) => tx.run(sql('delete from users')));
    // Each transaction adds a segment to the index.
    for (let user = 0; user < 40; user++)
      await insertTestUser(database, { name: `Person ${user} ${'é'.repeat(user)}` });
    await insertTestUser(database, { name: NAME });
  });

  const isStored = async () =>
    (await database.all(BLOCKS)).some(({ block }) => Buffer.from(block).includes(NAME));
  const find = async (term: string) =>
    (await database.all(database.textSearch.find, JSON.stringify(toTrigrams(term)), 100)).length;
  const eraseUser = () => database.transaction((tx) => tx.run(DELETE, NAME));

  test('the purge removes the trigrams of deleted texts from the index, and no others', async () => {
    await eraseUser();
    assert.equal(await find(NAME), 0);
    assert.ok(await isStored(), 'a deletion only marks them');
    await database.textSearch.purge(() => false);
    assert.ok(!(await isStored()));
    assert.equal(await find('person'), 40);
  });

  test('the purge removes the trigrams of changed texts from the index', async () => {
    await database.transaction((tx) => tx.run(RENAME, `%${NAME}%`, 'renamed'));
    assert.deepEqual([await find(NAME), await find('named')], [0, 1]);
    await database.textSearch.purge(() => false);
    assert.ok(!(await isStored()));
    assert.deepEqual([await find(NAME), await find('named')], [0, 1]);
  });

  test('the purge that was stopped continues when it is called again', async () => {
    await eraseUser();
    await database.textSearch.purge(() => true);
    await insertTestUser(database, { name: 'Person of the pause' });
    await database.textSearch.purge(() => false);
    assert.ok(!(await isStored()));
    assert.equal(await find('person'), 41);
  });

  test('the purge writes nothing when no text was deleted', async () => {
    await database.textSearch.purge(() => false);
    const transaction = () => assert.fail('a transaction');
    const { textSearch } = await import('./sqlite.ts');
    await textSearch({ get: database.get, transaction }).purge(() => false);
  });

  test('texts that are deleted during the purge are left for the next one', async () => {
    await insertTestUser(database, { name: 'Another' });
    await database.transaction((tx) => tx.run(DELETE, 'another'));
    const { textSearch } = await import('./sqlite.ts');
    let isFirst = true;
    const transaction: Database['transaction'] = async (work) => {
      const result = await database.transaction(work);
      if (isFirst) await eraseUser();
      isFirst = false;
      return result;
    };
    await textSearch({ get: database.get, transaction }).purge(() => false);
    assert.ok(await isStored());
    await database.textSearch.purge(() => false);
    assert.ok(!(await isStored()));
  });
});

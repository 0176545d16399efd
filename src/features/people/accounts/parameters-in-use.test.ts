import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../../../../test/support/runner/engines.ts';
import { openService, PRODUCTION_HASHES } from '../../../../test/support/service.ts';
import { insertTestUser } from '../../../../test/support/users.ts';
import { type Database, sql } from '../../../database/database.ts';
import { readSettings, writeSetting } from '../../../database/settings.ts';
import { PREFIX } from '../../../lib/passwords/password-parameters.ts';
import { readParameters, recordImported } from './parameters-in-use.ts';

const OLDEST = '$argon2id$v=19$m=64,t=1,p=1$';
const OLDER = '$argon2id$v=19$m=4096,t=1,p=1$';
const REST = 'bm9ib2R5IGhhcyB0aGlzIQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const NEVER = () => false;
const clock = () => 1_000_000;

const REPLACE = sql('update users set password_hash = $1 where id = $2');
const replaceHash = (database: Database, userId: string, prefix: string) =>
  database.transaction((tx) => tx.run(REPLACE, prefix + REST, userId));
const insertHash = (database: Database, prefix: string) =>
  insertTestUser(database, { passwordHash: prefix + REST });
const record = (database: Database, prefix: string, since: number) =>
  database.transaction((tx) => writeSetting(tx, `password_parameters ${prefix}`, String(since)));
const recorded = async (database: Database) =>
  (await readSettings(database, 'password_parameters ')).map(({ name }) => name.split(' ')[1]).sort();

describeOnEachEngine('parameters of password hashes', (engine) => {
  async function openDatabase(context: { after(fn: () => Promise<void>): void }) {
    const { service } = await openService(context, engine, PRODUCTION_HASHES);
    return service.database;
  }

  test('the parameters in use are those of the oldest account in a database that has no record of them', async (context) => {
    const database = await openDatabase(context);
    await insertHash(database, OLDER);
    await insertHash(database, PREFIX);
    assert.equal((await readParameters(database, clock)).oldestPrefix(), OLDER);
    assert.deepEqual(await recorded(database), [PREFIX, OLDER].sort());
  });

  test('the parameters of most imported hashes are in use while there are any, and removed when none is left', async (context) => {
    const database = await openDatabase(context);
    const [rare, common] = ['$2a$04$', '$2y$05$'].map((prefix) => prefix + '.'.repeat(53)) as [
      string,
      string,
    ];
    const { id } = await insertTestUser(database, { passwordHash: common });
    await record(database, OLDER, 0);
    for (const hashes of [
      [rare, common],
      [common, `${PREFIX}${REST}`],
    ])
      await database.transaction((tx) => recordImported(tx, hashes));
    const parameters = await readParameters(database, clock);
    assert.equal(parameters.oldestPrefix(), '$2y$05$');
    await parameters.update(NEVER);
    assert.equal(parameters.oldestPrefix(), '$2y$05$');
    await replaceHash(database, id, PREFIX);
    await parameters.update(NEVER);
    assert.equal(parameters.oldestPrefix(), PREFIX);
    assert.deepEqual(await recorded(database), [PREFIX]);
  });

  test('parameters of hashes are kept while an account has such a hash, and removed afterwards', async (context) => {
    const database = await openDatabase(context);
    // More than the service reads at once; on PostgreSQL, the statement is the same.
    const others = engine === 'sqlite' ? 1_001 : 2;
    for (let count = 0; count < others; count++) await insertHash(database, PREFIX);
    const last = await insertHash(database, OLDEST);
    await insertHash(database, OLDER);
    await record(database, OLDEST, 1);
    await record(database, OLDER, 2);
    const [node, otherNode] = [await readParameters(database, clock), await readParameters(database, clock)];
    for (let round = 0; round < 2; round++) {
      await node.update(NEVER);
      assert.equal(node.oldestPrefix(), OLDEST);
    }
    await replaceHash(database, last.id, PREFIX);
    await node.update(NEVER);
    assert.equal(node.oldestPrefix(), OLDER);
    assert.deepEqual(await recorded(database), [PREFIX, OLDER].sort());
    assert.equal(otherNode.oldestPrefix(), OLDEST);
    await otherNode.update(NEVER);
    assert.equal(otherNode.oldestPrefix(), OLDER);
  });

  if (engine === 'postgres') return;

  test('the parameters in use are those of new hashes in a new database', async (context) => {
    const database = await openDatabase(context);
    assert.deepEqual(await recorded(database), [PREFIX]);
    assert.equal((await readParameters(database, clock)).oldestPrefix(), PREFIX);
  });

  test('the parameters in use are ordered by the time of their first use', async (context) => {
    const database = await openDatabase(context);
    await record(database, OLDER, 20);
    await record(database, OLDEST, 3);
    assert.equal((await readParameters(database, clock)).oldestPrefix(), OLDEST);
  });

  test('parameters of hashes are removed together when all hashes are new, but never those of new hashes', async (context) => {
    const database = await openDatabase(context);
    await record(database, OLDEST, 1);
    await record(database, OLDER, 2);
    const node = await readParameters(database, clock);
    await node.update(NEVER);
    assert.equal(node.oldestPrefix(), PREFIX);
    assert.deepEqual(await recorded(database), [PREFIX]);
  });

  test('parameters of hashes are kept when the search is stopped', async (context) => {
    const database = await openDatabase(context);
    await record(database, OLDEST, 1);
    const node = await readParameters(database, clock);
    await node.update(() => true);
    assert.equal(node.oldestPrefix(), OLDEST);
    assert.ok((await recorded(database)).includes(OLDEST));
  });

  test('parameters of hashes are recorded again by a node that still makes such hashes', async (context) => {
    const database = await openDatabase(context);
    const node = await readParameters(database, clock);
    await database.transaction((tx) => tx.run(sql('delete from settings where name like $1'), 'password_%'));
    await node.update(NEVER);
    assert.deepEqual(await recorded(database), [PREFIX]);
  });
});

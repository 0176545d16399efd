import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestDatabase, useTestDatabase } from '../../test/support/database.ts';
import { toEnvironment } from '../../test/support/environment.ts';
import { runToEnd } from '../../test/support/processes/process.ts';
import { describeStorage } from '../../test/support/runner/engines.ts';
import { type Database, sql } from './database.ts';
import { DatabaseNotSupported, type MigrationProgress, migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { openDatabase } from './open.ts';

const RECORDED = sql<{ version: number; name: string }>(
  'select version, name from schema_migrations order by version',
);

/** A step that creates one table and then runs `ending`. */
function step(version: number, ending: string[] = [], kind: Migration['kind'] = 'expand'): Migration {
  return {
    version,
    name: `step ${version}`,
    kind,
    statements: ({ key }) => [`create table made_by_${version} (id ${key} primary key)`, ...ending],
  };
}

/** The first version after those of the baseline, whose release may be mixed with the next one. */
const FIRST = migrations[0]!.version + 2;

describeStorage('migration', (engine) => {
  const testDatabase = useTestDatabase(engine);

  /** Opens the database of the suite, or another one. */
  const open = (context: TestContext, { url, directory } = testDatabase) => {
    const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 2 });
    context.after(() => database.close());
    return database;
  };
  const openEmpty = async (context: TestContext) => {
    const empty = await openTestDatabase(context, engine);
    return { empty, database: open(context, empty) };
  };

  test('migration applies every step to an empty database and none to a current one', async (context) => {
    const database = open(context);
    assert.equal(await migrate(database), migrations.length);
    assert.equal(await migrate(database), 0);
    const expected = migrations.map(({ version, name }) => ({ version, name }));
    assert.deepEqual(await database.all(RECORDED), expected);
  });

  test('migration applies only missing steps to the database of an older release', async (context) => {
    const { database } = await openEmpty(context);
    assert.equal(await migrate(database, [step(1)]), 1);
    assert.equal(await migrate(database, [step(1), step(2), step(3)]), 2);
    assert.deepEqual(await database.all(sql('select * from made_by_1, made_by_2, made_by_3')), []);
    assert.equal((await database.all(RECORDED)).length, 3);
  });

  test('migration applies each step once when nodes of one process migrate an empty database concurrently', async (context) => {
    // Repeated, because the race between creating the first table varies.
    for (let attempt = 0; attempt < 2; attempt++) {
      const { empty, database } = await openEmpty(context);
      const nodes = [database, ...Array.from({ length: 7 }, () => open(context, empty))];
      const applied = await Promise.all(nodes.map((node) => migrate(node)));
      assert.deepEqual(
        applied.sort((a, b) => a - b),
        [0, 0, 0, 0, 0, 0, 0, migrations.length],
      );
    }
  });

  test('migration applies each step once when processes migrate an empty database concurrently', async (context) => {
    const empty = await openTestDatabase(context, engine);
    const start = () => runToEnd(['src/cli.ts', 'migrate'], toEnvironment(empty));
    const endings = await Promise.all([start(), start()]);
    assert.deepEqual(endings.flatMap(({ lines }) => lines).sort(), [
      `Applied ${migrations.length} migrations.`,
      'The database is up to date.',
    ]);
  });

  test('migration leaves nothing of a failing step or of the steps before it', async (context) => {
    const { database } = await openEmpty(context);
    const broken = step(2, ['create table without any sense']);
    await assert.rejects(migrate(database, [step(1), broken]));
    for (const table of ['made_by_1', 'made_by_2', 'schema_migrations']) {
      await assert.rejects(database.all(sql(`select * from ${table}`)), `${table} exists`);
    }
    assert.equal(await migrate(database, [step(1), step(2)]), 2, 'the corrected step is applied');
  });

  test('migration leaves the database of an older release unchanged when a later step fails', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database, [step(1)]);
    await assert.rejects(migrate(database, [step(1), step(2, ['select from where'])]));
    assert.deepEqual(await database.all(RECORDED), [{ version: 1, name: 'step 1' }]);
    assert.deepEqual(await database.all(sql('select id from made_by_1')), []);
    await assert.rejects(database.all(sql('select id from made_by_2')));
  });

  /** Steps of a release, the next one, which only adds, and one more, with a contract step. */
  const RELEASE = [step(FIRST - 1), step(FIRST)];
  const EXPANDED = [...RELEASE, step(FIRST + 1)];
  const contract = step(FIRST + 2, [`drop table made_by_${FIRST}`], 'contract');
  const CONTRACTED = [...EXPANDED, contract, step(FIRST + 3)];
  const readVersions = async (database: Database) =>
    (await database.all(RECORDED)).map(({ version }) => version - FIRST);

  if (engine === 'postgres') return;

  test('migration reports each step of an upgrade before it is executed', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database, [step(1)]);
    const reported: MigrationProgress[] = [];
    const report = async (progress: MigrationProgress) => void reported.push(progress);
    await migrate(database, [step(1), step(2), step(3)], { report });
    assert.deepEqual(reported, [
      { version: 2, name: 'step 2', step: 1, steps: 2 },
      { version: 3, name: 'step 3', step: 2, steps: 2 },
    ]);
  });

  test('migration reports nothing about a new database, or about a current one', async (context) => {
    const { database } = await openEmpty(context);
    const report = () => assert.fail('reported');
    await migrate(database, migrations, { report });
    await migrate(database, migrations, { report });
  });

  test('migration accepts a later schema that was only expanded, and changes nothing', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database, RELEASE);
    await migrate(database, EXPANDED);
    assert.equal(await migrate(database, RELEASE), 0);
    assert.deepEqual(await readVersions(database), [-1, 0, 1]);
  });

  test('migration applies contract steps of a later release only with --contract, also after later steps', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database, RELEASE);
    assert.equal(await migrate(database, CONTRACTED), 2);
    assert.equal(await migrate(database, CONTRACTED), 0);
    assert.deepEqual(await readVersions(database), [-1, 0, 1, 3]);
    assert.equal(await migrate(database, RELEASE), 0, 'the release before still runs');
    assert.equal(await migrate(database, CONTRACTED, { contract: true }), 1);
    assert.deepEqual(await readVersions(database), [-1, 0, 1, 2, 3]);
  });

  test('migration rejects a schema after a contract step of a later release with one line that names the versions', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database, RELEASE);
    await migrate(database, CONTRACTED, { contract: true });
    const line = new RegExp(
      `^[^\\n]*\\b${FIRST + 3}\\b[^\\n]*\\b${FIRST + 2}\\b[^\\n]*\\b${FIRST + 1}\\b[^\\n]*$`,
    );
    const namesAll = (error: unknown) => error instanceof DatabaseNotSupported && line.test(error.message);
    await assert.rejects(migrate(database, EXPANDED), namesAll);
    await assert.rejects(migrate(database, EXPANDED, { contract: true }), namesAll);
    assert.equal(await migrate(database, [...EXPANDED, contract]), 0);
  });

  test('migration applies the contract steps of an empty database at once', async (context) => {
    const { database } = await openEmpty(context);
    assert.equal(await migrate(database, CONTRACTED), CONTRACTED.length);
  });

  test('migration keeps a release before the baseline from a database that begins with the baseline', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database);
    const earlier = [step(27), step(migrations[0]!.version)];
    await assert.rejects(migrate(database, earlier), DatabaseNotSupported);
  });

  test('migration rejects a database that is older than the first step with the release to start before', async (context) => {
    const { database } = await openEmpty(context);
    await migrate(database, [step(42)]);
    const namesRelease = (error: unknown) =>
      error instanceof DatabaseNotSupported &&
      /^[^\n]*\b42\b[^\n]*\b43\b[^\n]*start release 0\.2\.0\b[^\n]*$/.test(error.message);
    await assert.rejects(migrate(database), namesRelease);
    assert.deepEqual(await database.all(RECORDED), [{ version: 42, name: 'step 42' }]);
  });
});

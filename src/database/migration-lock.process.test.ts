import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { toEnvironment } from '../../test/support/environment.ts';
import { run } from '../../test/support/processes/process.ts';
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../test/support/runner/engines.ts';
import { type Database, sql } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { openPostgres } from './postgres/postgres.ts';

/** To be read outside of transactions, which see the list of connections of their first look. */
const WAITING = sql<unknown>(`
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

describeOnPostgres('the migration lock on PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let administrator: pg.Client;
  before(async () => {
    testDatabase = await createTestDatabase('postgres');
    database = openPostgres(testDatabase.url!, 2);
    administrator = new pg.Client({ connectionString: testDatabase.url! });
    await administrator.connect();
  });
  after(async () => {
    // Also ends a transaction that a failed test has left open.
    await administrator.end();
    await database.close();
    await testDatabase.remove();
  });

  test('the migration lock is taken from a node that is frozen, whose migration then fails without an effect', async () => {
    await migrate(database, migrations.slice(0, -1));
    // Stops the migration of the node at its last statement, while it holds the lock.
    await administrator.query('begin; lock table schema_migrations in share mode');
    const url = `${testDatabase.url}?idle_in_transaction_session_timeout=5000`;
    const frozen = run(['src/cli.ts', 'migrate'], toEnvironment({ ...testDatabase, url }));
    while ((await database.get(WAITING)) === undefined)
      assert.equal(frozen.child.exitCode, null, frozen.output());
    frozen.child.kill('SIGSTOP');
    await administrator.query('rollback');
    assert.equal(await migrate(database), 1);
    frozen.child.kill('SIGCONT');
    const { code, lines } = await frozen.ending;
    assert.equal(code, 1);
    // After the lines that say how far it was.
    assert.match(lines.at(-1)!, /^migrate: The database is unavailable: .*$/);
    assert.equal(await migrate(database), 0);
  });

  test('the migration lock is not needed while the schema is current', async () => {
    await migrate(database);
    await administrator.query('begin; lock table frontdesk_lock in access exclusive mode');
    assert.equal(await migrate(database), 0);
    await administrator.query('rollback');
  });
});

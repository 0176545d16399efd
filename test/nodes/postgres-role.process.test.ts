import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Database, sql } from '../../src/database/database.ts';
import { MigrationNotPermitted, migrate } from '../../src/database/migrate.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { openDatabase } from '../../src/database/open.ts';
import { admin, editor, newUserData, toEnvironment } from '../support/environment.ts';
import { keyed, newKey } from '../support/keyed.ts';
import { runToEnd, startProcess } from '../support/processes/process.ts';
import {
  createTestDatabase,
  describeOnPostgres,
  postgresUrl,
  type TestDatabase,
} from '../support/runner/engines.ts';

const [PREVIOUS, LAST] = migrations.slice(-2).map(({ version }) => version) as [number, number];

describeOnPostgres('a PostgreSQL role that may only read and write rows', () => {
  const role = `test_${randomUUID().replaceAll('-', '')}`;
  let owners: TestDatabase;
  /** The same database for the role. */
  let roles: TestDatabase;
  let database: Database;
  let administrator: pg.Client;
  const open = ({ url: databaseUrl, directory: dataDir }: TestDatabase) =>
    openDatabase({ databaseUrl, dataDir, databasePool: 1 });

  before(async () => {
    owners = await createTestDatabase('postgres');
    const url = new URL(owners.url!);
    [url.username, url.password] = [role, 'password-of-the-role'];
    roles = { ...owners, url: url.href };
    const owner = open(owners);
    await migrate(owner).finally(() => owner.close());
    administrator = new pg.Client({ connectionString: owners.url! });
    await administrator.connect();
    await administrator.query(`
      create role ${role} login password 'password-of-the-role';
      revoke create on schema public from public;
      grant select, insert, update, delete on all tables in schema public to ${role};
      revoke all on frontdesk_lock from ${role}`);
    database = open(roles);
  });
  after(async () => {
    await database.close();
    await administrator.end();
    await owners.remove();
    const maintenance = new pg.Client({ connectionString: postgresUrl() });
    await maintenance.connect();
    await maintenance.query(`drop role ${role}`).finally(() => maintenance.end());
  });

  /** Runs the test with other rights or rows, which are restored afterwards. */
  async function changed(change: string, restore: string, work: () => Promise<void>): Promise<void> {
    await administrator.query(change);
    await work().finally(() => administrator.query(restore));
  }

  /** Starts the service, expects that it exits with 1, and returns the only line of its output. */
  async function failure(): Promise<string> {
    const { code, lines } = await runToEnd(['src/main.ts'], toEnvironment(roles));
    assert.deepEqual([code, lines.length], [1, 1], lines.join('\n'));
    return lines[0]!;
  }

  test('a limited PostgreSQL role starts and serves when the schema is current', async () => {
    const create = sql('create table no_right (id bigint)');
    await assert.rejects(
      database.transaction((tx) => tx.run(create)),
      /permission denied/,
    );
    const { api, kill } = await startProcess(roles, {
      RATE_LIMITS: 'on',
    });
    const user = newUserData();
    const { status, body } = await api.post('/api/register', user, keyed(newKey()));
    assert.equal(status, 201);
    const token = body.access_token;
    assert.equal((await api.post('/api/login', user)).status, 200);
    assert.equal((await api.post('/api/login', { ...user, password: 'wrong password' })).status, 401);
    assert.equal((await api.get('/api/v1/me', { token })).status, 200);
    const { name, email } = newUserData();
    const account = { name, email, app_metadata: { plan: 'pro' } };
    const created = await api.post('/api/v1/users', account, admin);
    assert.equal(created.status, 201);
    const found = await api.get('/api/v1/users?metadata=app_metadata.plan:pro', admin);
    assert.equal(found.body.data.length, 1);
    const path = `/api/v1/users/${created.body.data.id}`;
    assert.equal((await api.patch(path, { name: 'Eve' }, editor)).status, 200);
    assert.equal((await api.delete(path, editor)).status, 204);
    assert.equal((await api.get('/api/v1/admin/dashboard', admin)).status, 200);
    assert.equal((await api.post('/api/logout', undefined, { token })).status, 200);
    assert.equal((await api.get('/readyz')).status, 200);
    assert.equal((await kill('SIGTERM')).code, 0);
  });

  const remove = `delete from schema_migrations where version = ${LAST}`;
  const restore = `insert into schema_migrations values (${LAST}, 'restored', 0)`;
  test('a limited PostgreSQL role fails to start with one line that names the missing right without a migration', () =>
    changed(remove, restore, async () => {
      const line = await failure();
      assert.match(line, new RegExp(`at version ${PREVIOUS} .* migrated to ${LAST}\\b`));
      assert.match(line, /a role that owns its tables .*\(permission denied for schema public\).*migrate/);
    }));

  test('a limited PostgreSQL role cannot change tables of another owner either when it may create tables', async () => {
    const grant = `grant create on schema public to ${role}; grant all on frontdesk_lock to ${role}`;
    const revoke = `revoke create on schema public from ${role}; revoke all on frontdesk_lock from ${role}`;
    await changed(grant, revoke, async () => {
      const statements = () => ['alter table users add column shoe_size bigint'];
      const next = { version: LAST + 1, name: 'shoe sizes', kind: 'expand', statements } as const;
      const isClear = (error: Error) =>
        error instanceof MigrationNotPermitted && /must be owner of table users/.test(error.message);
      await assert.rejects(migrate(database, [...migrations, next]), isClear);
    });
  });

  const record = "insert into schema_migrations values (9999, 'later', 0, 9999)";
  test('a limited PostgreSQL role fails to start on the database of a later release with one line on both versions', () =>
    changed(record, 'delete from schema_migrations where version = 9999', async () => {
      assert.match(await failure(), new RegExp(`\\b9999\\b.*\\b${LAST}\\b`));
    }));

  test('a PostgreSQL role without any rights fails to start with one line', () =>
    changed(
      `revoke select on schema_migrations from ${role}`,
      `grant select on schema_migrations to ${role}`,
      async () =>
        assert.match(await failure(), /permission denied for table schema_migrations \(DATABASE_URL\)$/),
    ));
});

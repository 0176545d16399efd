import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openEmptyDatabase, openTestDatabase } from '../../../test/support/database.ts';
import {
  describeStorage,
  type Engine,
  SQLITE_FILE,
  type TestDatabase,
} from '../../../test/support/runner/engines.ts';
import { admin, startService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import { type Database, sql } from '../database.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open.ts';

/** The release that has made the stored databases, and its settings. */
const RELEASE = 'release 0.2.0 of commit 1e539ba3';
const ENVIRONMENT = {
  SECRET_KEY: 'secret-key-of-the-stored-databases',
};
const TOKEN = 'fd_pat_K120zA5Us7EcBQP4ZWndBIvDVKEHhqnBn4NwRtrhisH0KzvIM';
const STORED_AT = Date.UTC(2026, 10, 27, 14);

const TABLES: Readonly<Record<Engine, string>> = {
  sqlite: `select name from sqlite_schema where type = 'table' and name not like '%trigrams%' and name not like 'sqlite%'`,
  postgres: `select tablename as name from pg_tables where schemaname = 'public'`,
};

const SCHEMA: Readonly<Record<Engine, string>> = {
  sqlite: 'select name, sql as definition from sqlite_schema where sql is not null',
  postgres: `
    select table_name || '.' || column_name as name,
      concat_ws(' ', data_type, collation_name, is_nullable, column_default) as definition
      from information_schema.columns where table_schema = 'public'
    union all
    select conrelid::regclass || '', pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select indexname, indexdef from pg_indexes where schemaname = 'public' and indexname not like '%_pkey%'
    union all
    select proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
};

/**
 * Returns texts without spaces and quotes, which depend on the statements that have changed a table. `schema_migrations`
 * has a default of its own in each release.
 */
async function readSchema(database: Database, engine: Engine): Promise<string[]> {
  const parts = await database.all(sql<{ name: string; definition: string }>(SCHEMA[engine]));
  return parts
    .filter(({ name }) => !name.startsWith('schema_migrations'))
    .map(({ name, definition }) => `${name}: ${definition.replaceAll(/[\s"]/g, '').toLowerCase()}`)
    .sort();
}

type Row = Record<string, unknown>;

async function readRows(database: Database, engine: Engine): Promise<Map<string, Row[]>> {
  const tables = await database.all(sql<{ name: string }>(TABLES[engine]));
  const rows = new Map<string, Row[]>();
  for (const { name } of tables)
    rows.set(
      name,
      (await database.all(sql<Row>(`select * from ${name}`))).map((row) => ({ ...row })),
    );
  return rows;
}

const STORED = new URL('../../../test/support/database-43/', import.meta.url);

/** Creates the database that the release has made: on SQLite its file, on PostgreSQL the statements that made it. */
async function createStored(context: TestContext, engine: Engine): Promise<TestDatabase> {
  const stored = await openTestDatabase(context, engine);
  if (engine === 'sqlite') {
    const file = gunzipSync(readFileSync(new URL('sqlite.db.gz', STORED)));
    writeFileSync(join(stored.directory, SQLITE_FILE), file);
    return stored;
  }
  const database = open(stored);
  const statements = readFileSync(new URL('postgres.sql', STORED), 'utf8').split(';\n').slice(0, -1);
  await database.transaction(async (tx) => {
    for (const statement of statements) await tx.run(sql(statement));
  });
  await database.close();
  return stored;
}

function open({ url, directory }: TestDatabase): Database {
  return openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
}

describeStorage(`the upgrade of a database of ${RELEASE}`, (engine) => {
  test('the upgrade of an earlier database gives it the schema of a new one and keeps its rows', async (context) => {
    const stored = await createStored(context, engine);
    // On another connection: statements of the first one are prepared for the old tables.
    const old = open(stored);
    const before = await readRows(old, engine).finally(() => old.close());
    const database = open(stored);
    context.after(() => database.close());
    await migrate(database);
    const fresh = await openEmptyDatabase(context, engine);
    await migrate(fresh);
    assert.deepEqual(await readSchema(database, engine), await readSchema(fresh, engine));
    const after = await readRows(database, engine);
    before.delete('schema_migrations');
    // Nothing reads the active users of hours any more.
    const isKept = ({ name }: Row) => !/^active_users:/.test(String(name));
    before.set('counters', before.get('counters')!.filter(isKept));
    assert.ok(before.get('users')!.length > 2);
    for (const [name, rows] of before) {
      const columns = Object.keys(rows[0] ?? {});
      const kept = after
        .get(name)!
        .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
      assert.deepEqual(kept, rows, name);
    }
    await assertExactFigures(database);
  });

  test('a service on an earlier database knows its tokens, users, forms, settings and events', async (context) => {
    const testDatabase = await createStored(context, engine);
    const { api, stop } = await startService(engine, {
      testDatabase,
      environment: ENVIRONMENT,
      clock: () => STORED_AT,
    });
    context.after(stop);
    assert.equal((await api.get('/api/v1/me', { token: TOKEN })).body.data.name, 'Ada Lovelace');
    const settings = (await api.get('/api/v1/admin/settings', admin)).body.data;
    assert.match(JSON.stringify(settings), /"INSTANCE_NAME"[^}]*"Accounts"/);
    const events = await api.get('/api/v1/events?type=user.created', admin);
    assert.equal(events.body.data.length, 4);
    const [form] = (await api.get('/api/v1/forms', admin)).body.data;
    assert.deepEqual(form.submissions, { accepted: 1, held: 1 });
  });
});

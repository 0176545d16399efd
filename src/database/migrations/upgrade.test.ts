import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { openEmptyDatabase } from '../../../test/support/database.ts';
import {
  createTestDatabase,
  describeOnEachEngine,
  type Engine,
  type TestDatabase,
} from '../../../test/support/runner/engines.ts';
import { ADMIN_TOKEN, startService } from '../../../test/support/service.ts';
import { assertExactFigures } from '../../../test/support/statistics/statistics.ts';
import { type Database, sql } from '../database.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open.ts';

/** Settings of the service that has made the stored database. */
const ENVIRONMENT = {
  SECRET_KEY: 'secret-key-of-the-stored-databases',
  METADATA_INDEX: 'app_metadata.plan',
};
const TOKEN = 'fd_pat_K120zA5Us7EcBQP4ZWndBIvDVKEHhqnBn4NwRtrhisH0KzvIM';
const STORED_AT = Date.UTC(2026, 10, 23, 14);

const TABLES: Readonly<Record<Engine, string>> = {
  sqlite: `select name from sqlite_schema where type = 'table' and name not like '%trigrams%' and name not like 'sqlite%'`,
  postgres: `select tablename as name from pg_tables where schemaname = 'public'`,
};

const SCHEMA: Readonly<Record<Engine, string>> = {
  sqlite: 'select name, sql as definition from sqlite_schema where sql is not null',
  postgres: `
    select table_name || '.' || ordinal_position as name,
      concat_ws(' ', column_name, data_type, collation_name, is_nullable, column_default) as definition
      from information_schema.columns where table_schema = 'public'
    union all
    select conrelid::regclass || '', pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select indexname, indexdef from pg_indexes where schemaname = 'public' and indexname not like '%_pkey%'
    union all
    select proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
};

/** Returns texts without spaces and quotes, which depend on the statements that have changed a table. */
async function readSchema(database: Database, engine: Engine): Promise<string[]> {
  const parts = await database.all(sql<{ name: string; definition: string }>(SCHEMA[engine]));
  return parts
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

/** Creates the database that the release with version 27 has made. */
async function createStored(context: TestContext, engine: Engine): Promise<TestDatabase> {
  const stored = await createTestDatabase(engine);
  context.after(stored.remove);
  const file = new URL(`../../../test/support/database-27/${engine}.sql`, import.meta.url);
  const database = open(stored);
  await database.transaction(async (tx) => {
    for (const statement of readFileSync(file, 'utf8').split(';\n').slice(0, -1))
      await tx.run(sql(statement));
  });
  await database.close();
  return stored;
}

function open({ url, directory }: TestDatabase): Database {
  return openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 1 });
}

describeOnEachEngine('the upgrade of a database at version 27', (engine) => {
  test('a database at version 27 gets the schema of a new one and keeps its rows', async (context) => {
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
    for (const name of ['active_minutes', 'user_activity', 'counters', 'schema_migrations'])
      before.delete(name);
    before.set(
      'users',
      before.get('users')!.map((row) => ({ ...row, locale: null })),
    );
    assert.ok(before.get('users')!.length > 2);
    const onlyShared = (row: Row, [first = {}]: readonly Row[]) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => column in first));
    for (const [name, rows] of before) {
      const kept = after.get(name)!;
      assert.deepEqual(
        kept.map((row) => onlyShared(row, rows)),
        rows.map((row) => onlyShared(row, kept)),
        name,
      );
    }
    await assertExactFigures(database);
  });

  test('a service on a database at version 27 knows its tokens, users, settings and events', async (context) => {
    const testDatabase = await createStored(context, engine);
    const { api, stop } = await startService(engine, {
      testDatabase,
      environment: ENVIRONMENT,
      clock: () => STORED_AT,
    });
    context.after(stop);
    assert.equal((await api.get('/api/v1/me', { token: TOKEN })).body.data.name, 'Ada Lovelace');
    const settings = (await api.get('/api/v1/admin/settings', { token: ADMIN_TOKEN })).body.data;
    assert.match(JSON.stringify(settings), /"INSTANCE_NAME"[^}]*"Accounts"/);
    const events = await api.get('/api/v1/events?type=user.created', { token: ADMIN_TOKEN });
    assert.equal(events.body.data.length, 3);
  });
});

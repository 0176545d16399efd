/**
 * No statement reads more of a growing table than the rows of one key, except those of exceptions.ts. The plans have
 * to be right with and without statistics, because the service collects none.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Database, statements } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { createAllForRows } from '../src/database/prepare.ts';
import type { Exception } from './support/query-plans/exceptions/exception.ts';
import { COMMAND_STATEMENTS, EXCEPTIONS, SMALL_TABLES } from './support/query-plans/exceptions.ts';
import type { Planner } from './support/query-plans/planner.ts';
import { postgresPlanner } from './support/query-plans/postgres-plans.ts';
import { insertSampleRows, SAMPLED_TABLES } from './support/query-plans/sample-rows.ts';
import { sqlitePlanner } from './support/query-plans/sqlite-plans.ts';
import {
  createTestDatabase,
  describeStorage,
  type Engine,
  type TestDatabase,
} from './support/runner/engines.ts';

const ROOT = join(import.meta.dirname, '..');
const isSmall = (table: string) => Object.hasOwn(SMALL_TABLES, table);
/** Statements that take a list of rows have a text for each of a few lengths. */
const withoutRows = (text: string) => text.replace(/\(values .*?\)\)\) as listed/, '(values …) as listed');
const onOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');

const loaded = new Set<string>();
const common = await load(
  ['src/**/*queries.ts', 'src/database/*.ts'],
  /\.test\.ts$|\/(?:open|replace|sqlite|postgres)/,
);
const STATEMENTS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [...common, ...(await load(['src/database/sqlite/*.ts']))],
  postgres: [...common, ...(await load(['src/database/postgres/*.ts']))],
};
const { openDatabase } = await import('../src/database/open.ts');

/** Loads modules, and returns the statements of all modules that were loaded since the last call. */
async function load(patterns: readonly string[], excluded = /\.test\.ts$/): Promise<string[]> {
  const files = globSync(patterns, { cwd: ROOT }).filter((file) => !excluded.test(file));
  for (const file of files) await import(join(ROOT, file));
  createAllForRows();
  const more = Array.from(statements.values()).filter(({ name }) => !loaded.has(name));
  for (const { name } of more) loaded.add(name);
  const isOfCommand = (text: string) => COMMAND_STATEMENTS.some((part) => text.includes(part));
  return more.map(({ text }) => onOneLine(text)).filter((text) => !isOfCommand(text));
}

function openPlanner(engine: Engine, { url, directory }: TestDatabase): Promise<Planner> | Planner {
  return engine === 'sqlite' ? sqlitePlanner(join(directory, 'frontdesk.db')) : postgresPlanner(url!);
}

interface Finding {
  readonly statement: string;
  readonly finding: string;
}

async function listFindings(planner: Planner, texts: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const statement of texts) {
    const found = await planner
      .findings(statement, isSmall)
      .catch((error: Error) => [`has no plan: ${error.message}`]);
    findings.push(...found.map((finding) => ({ statement: withoutRows(statement), finding })));
  }
  return findings;
}

const isExpected = ({ statement, finding }: Finding, exception: Exception) =>
  statement.includes(exception.statement) && exception.findings.includes(finding);

describeStorage('query plans', (engine) => {
  const exceptions = EXCEPTIONS.filter((exception) => (exception.engine ?? engine) === engine);
  const unexpected = (findings: readonly Finding[]) =>
    findings.filter((each) => !exceptions.some((exception) => isExpected(each, exception)));
  let testDatabase: TestDatabase;
  let database: Database;
  let planner: Planner;
  let withoutStatistics: Finding[];
  let withStatistics: Finding[];

  before(async () => {
    testDatabase = await createTestDatabase(engine);
    const { url, directory } = testDatabase;
    database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: 2 });
    await migrate(database);
    planner = await openPlanner(engine, testDatabase);
    await planner.holdStatistics();
    await insertSampleRows(database);
    withoutStatistics = await listFindings(planner, STATEMENTS[engine]);
    await planner.analyze();
    withStatistics = await listFindings(planner, STATEMENTS[engine]);
  });
  after(async () => {
    await planner.close();
    await database.close();
    await testDatabase.remove();
  });

  test('query plans read the rows of one key only, without statistics', () => {
    assert.ok(STATEMENTS[engine].length > 40, 'the statements of the service are loaded');
    assert.deepEqual(unexpected(withoutStatistics), []);
  });

  test('query plans read the rows of one key only, with statistics', () => {
    assert.deepEqual(unexpected(withStatistics), []);
  });

  test('query plans find the rows that refer to a deleted one by an index', async () => {
    const keys = await planner.foreignKeys();
    assert.ok(keys.length >= 5);
    const texts = keys.map(({ table, column }) => `select * from ${table} where ${column} = $1`);
    const findings = (await listFindings(planner, texts)).map(({ finding }) => finding);
    // Erasures delete the rows of one user in batches before.
    assert.deepEqual(
      findings.filter((finding) => !finding.startsWith('rows of one user in ')),
      [],
    );
  });

  test('query plans are those of growing tables, all of which have sample rows', async () => {
    const growing = (await planner.tables()).filter((table) => !isSmall(table));
    assert.deepEqual(growing.sort(), SAMPLED_TABLES.toSorted());
  });

  test('query plans differ from the rule only where an exception is used by exactly one statement', () => {
    const findings = [...withoutStatistics, ...withStatistics];
    const texts = [...new Set(STATEMENTS[engine].map(withoutRows))];
    for (const exception of exceptions) {
      const matching = texts.filter((text) => text.includes(exception.statement));
      assert.equal(matching.length, 1, `statements with ${exception.statement}`);
      const used = exception.findings.filter((finding) =>
        findings.some((each) => isExpected(each, { ...exception, findings: [finding] })),
      );
      assert.deepEqual(used, exception.findings, exception.statement);
    }
  });

  const bad = {
    'select id from users where name = $1': /^all of users/,
    'select name from users as u where u.email = $1 limit $2': /^all of u/,
    'select count(*) as users from users': /^all of users(_\w+)?$/,
    'update users set version = 1 where email = $1': /^all of users/,
    'delete from known_networks where network = $1': /^all of known_networks/,
    "select id from users where coalesce(email_key, '') = $1 and state = $2": /^range of users_state$/,
    "select id from events where actor = $1 and actor <> 'user' and number > $2":
      /^range of events_(?:actor|number)$/,
    'select id from tokens where created_at > $1 order by id limit $2': /^all of tokens/,
    'select name from users where email_key = $1 order by name': /^sorts$/,
    'select id from no_such_table': /^has no plan: .*no_such_table/,
  };
  for (const [text, expected] of Object.entries(bad)) {
    test(`query plans report the statement "${text}"`, async () => {
      const [found, ...more] = await listFindings(planner, [text]);
      assert.match(found?.finding ?? '', expected);
      assert.deepEqual(more, []);
    });
  }
});

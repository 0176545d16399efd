/**
 * The database engines that the suite runs on: both, or those that TEST_ENGINES names (`sqlite`, `postgres`,
 * separated by commas). The runner (test/run.ts) starts PostgreSQL and passes its URL in the environment; each
 * test gets its own database there, and its own directory for SQLite.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import pg from 'pg';
import { until } from '../until.ts';

export type Engine = 'sqlite' | 'postgres';

export const ENGINES = parseEngines(process.env.TEST_ENGINES ?? 'sqlite,postgres');

/** @throws when the list names anything else, since suites would silently not run */
function parseEngines(list: string): readonly Engine[] {
  return list.split(',').map((name) => {
    if (name === 'sqlite' || name === 'postgres') return name;
    throw new Error(`TEST_ENGINES names ${JSON.stringify(name)}: expected sqlite or postgres`);
  });
}

/** The variable by which test/run.ts leaves PostgreSQL to the second suite, except for storage. */
export const FIRST_SUITE = 'TEST_FIRST_SUITE';

/**
 * Runs a suite of storage, transactions, concurrency or migrations on each engine in the first suite. It returns on
 * PostgreSQL before the tests of what neither SQL nor concurrency decides.
 */
export function describeStorage(name: string, suite: (engine: Engine) => void): void {
  for (const engine of ENGINES) describe(`${name} (${engine})`, () => suite(engine));
}

/** Runs a suite that uses the statements of others on each engine: on SQLite first, on PostgreSQL in the second suite. */
export function describeOnEachEngine(name: string, suite: (engine: Engine) => void): void {
  if (process.env[FIRST_SUITE] === undefined) describeStorage(name, suite);
  else describe(`${name} (sqlite)`, () => suite('sqlite'));
}

/** Runs the suite on SQLite only: for what neither SQL nor concurrency decides. */
export function describeOnSqlite(name: string, suite: (engine: Engine) => void): void {
  if (ENGINES.includes('sqlite')) describe(name, () => suite('sqlite'));
}

/** Runs the suite if PostgreSQL is among the engines: for what only a shared database has. */
export function describeOnPostgres(name: string, suite: () => void): void {
  if (ENGINES.includes('postgres')) describe(name, suite);
}

/** Names of variables in which test/run.ts passes the file and the database to copy (test/support/runner/templates.ts). */
export const SQLITE_TEMPLATE = 'TEST_SQLITE_TEMPLATE';
export const POSTGRES_TEMPLATE = 'TEST_POSTGRES_TEMPLATE';

export const SQLITE_FILE = 'frontdesk.db';

export interface TestDatabase {
  /** For DATABASE_URL; null means SQLite in `directory`. */
  readonly url: string | null;
  /** For DATA_DIR. */
  readonly directory: string;
  remove(): Promise<void>;
}

/**
 * A schema with a function instead of the clock of PostgreSQL, which has stopped (test/support/runner/templates.ts). A database
 * has it in its search path before the functions of PostgreSQL if its URL says so.
 */
export const STOPPED_CLOCK = 'stopped_clock';

/** Returns the database with the clock of its server stopped: on PostgreSQL, rate limits follow that clock. */
export function withStoppedClock(testDatabase: TestDatabase): TestDatabase {
  if (testDatabase.url === null) return testDatabase;
  const url = new URL(testDatabase.url);
  url.searchParams.set('options', `-c search_path=public,${STOPPED_CLOCK},pg_catalog`);
  return { ...testDatabase, url: url.href };
}

/** Creates a database for a service, which migrates it when the runner has not passed a copy of a current one. */
export function createCurrentDatabase(engine: Engine): Promise<TestDatabase> {
  const { [SQLITE_TEMPLATE]: file, [POSTGRES_TEMPLATE]: name } = process.env;
  return createTestDatabase(engine, { file, name });
}

/** Creates an empty database, or a copy of the template. */
export async function createTestDatabase(
  engine: Engine,
  template: { readonly file?: string | undefined; readonly name?: string | undefined } = {},
): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  if (engine === 'sqlite') {
    if (template.file !== undefined) copyFileSync(template.file, join(directory, SQLITE_FILE));
    return { url: null, directory, remove: async () => removeDirectory() };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying the files is faster than writing each page to the log, because the server does not sync them.
  const source = template.name === undefined ? '' : `template ${template.name}`;
  await runAdminCommand(`create database ${name} ${source} strategy file_copy`);
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  const remove = async () => {
    removeDirectory();
    await runAdminCommand(`drop database ${name} with (force)`);
  };
  return { url: url.href, directory, remove };
}

/** Waits until PostgreSQL has ended the transactions of processes that were killed: of all that used the database. */
export async function untilUnused({ url }: TestDatabase): Promise<void> {
  if (url === null) return;
  const command = `select from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`;
  await until(async () => (await runAdminCommand(command)).rowCount === 0, 'no process uses the database');
}

/** Returns the URL of the maintenance database, which creates and drops those of the tests. */
export function postgresUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (url === undefined)
    throw new Error('TEST_POSTGRES_URL is not set: run the tests with `npm run test:only`');
  return url;
}

let maintenance: pg.Pool | undefined;

/** Runs a command on the maintenance database. Its connection stays open, and does not keep the process alive. */
function runAdminCommand(command: string): Promise<pg.QueryResult> {
  maintenance ??= createMaintenancePool();
  return maintenance.query(command);
}

function createMaintenancePool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: postgresUrl(), idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server of the runner stops while the connection of the runner is idle.
  pool.on('error', () => {});
  return pool;
}

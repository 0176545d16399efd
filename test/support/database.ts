/** A database without a service, for tests of what works on it alone. */
import { after, before, type TestContext } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import {
  createCurrentDatabase,
  createTestDatabase,
  type Engine,
  type TestDatabase,
} from './runner/engines.ts';

const POOL = 4;

/** Creates a database before the tests of a suite, and removes it after them. Call it in the body of the suite. */
export function useTestDatabase(engine: Engine, create = createTestDatabase): TestDatabase {
  const testDatabase = {} as TestDatabase;
  before(async () => {
    Object.assign(testDatabase, await create(engine));
  });
  after(() => testDatabase.remove());
  return testDatabase;
}

/** Creates a database, and removes it after the test. */
export async function openTestDatabase(
  context: { after(work: () => Promise<void>): void },
  engine: Engine,
  create = createTestDatabase,
): Promise<TestDatabase> {
  const testDatabase = await create(engine);
  context.after(testDatabase.remove);
  return testDatabase;
}

/** Opens a new database before the tests of a suite, and removes it after them. Call it in the body of the suite. */
export function useDatabase(engine: Engine, create = createCurrentDatabase) {
  const database = {} as Database;
  after(() => database.close());
  const testDatabase = useTestDatabase(engine, create);
  before(() => {
    const { url, directory } = testDatabase;
    Object.assign(database, openDatabase({ databaseUrl: url, dataDir: directory, databasePool: POOL }));
  });
  return { database, testDatabase };
}

/** Opens a new empty database, and removes it after the test. */
export async function openEmptyDatabase(context: TestContext, engine: Engine): Promise<Database> {
  const { url, directory } = await openTestDatabase(context, engine);
  const database = openDatabase({ databaseUrl: url, dataDir: directory, databasePool: POOL });
  context.after(() => database.close());
  return database;
}

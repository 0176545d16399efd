/**
 * The engines that the suite runs on. The runner (test/run.ts) starts PostgreSQL and says in the environment
 * where it is; every test gets a database of its own there, and a folder of its own for SQLite.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import pg from 'pg';

export type Engine = 'sqlite' | 'postgres';

export const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

/** One suite per engine: what holds on one has to hold on the other. */
export function describeOnEachEngine(name: string, suite: (engine: Engine) => void): void {
  for (const engine of ENGINES) describe(`${name} (${engine})`, () => suite(engine));
}

export interface TestDatabase {
  /** For DATABASE_URL; null means SQLite in `directory`. */
  readonly url: string | null;
  /** For DATA_DIR: empty at first. */
  readonly directory: string;
  remove(): Promise<void>;
}

export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  if (engine === 'sqlite') return { url: null, directory, remove: async () => removeDirectory() };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name}`);
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  const remove = async () => {
    removeDirectory();
    await administer(`drop database ${name} with (force)`);
  };
  return { url: url.href, directory, remove };
}

/** The server's own database: for creating and dropping those of the tests. */
export function postgresUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (url === undefined)
    throw new Error('TEST_POSTGRES_URL is not set: run the tests with `npm run test:only`');
  return url;
}

async function administer(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl() });
  await client.connect();
  try {
    await client.query(command);
  } finally {
    await client.end();
  }
}

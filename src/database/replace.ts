/** Replaces all contents of a database, so that a crash leaves either the old or the new ones. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createScratchPath, removeScratch } from '../lib/files.ts';
import type { Database, Tx } from './database.ts';
import { migrate } from './migrate.ts';
import { type DatabaseSettings, openDatabase, sqliteFile } from './open.ts';
import { lockSqlite } from './sqlite/file.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { dropTables, hasRows, listTables } from './tables.ts';

/** There are users or events. The message is one line for the operator. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty';
}

interface Replacement<T> {
  readonly settings: DatabaseSettings;
  /** Whether a database with users or events may be replaced. */
  readonly replaces: boolean;
  /** Fills the new database, which has no tables. What it throws leaves the old one as it is. */
  readonly fill: (database: Database) => Promise<T>;
}

/** Returns the result of `fill`, and where the old file is kept. @throws DatabaseNotEmpty, DatabaseUnavailable */
export function replaceDatabase<T>(
  replacement: Replacement<T>,
): Promise<{ readonly result: T; readonly kept: string | null }> {
  return replacement.settings.databaseUrl === null ? replaceFile(replacement) : replaceTables(replacement);
}

/** Runs `use` with a new SQLite database in a directory of its own, which is removed afterwards. */
export async function withScratchDatabase<T>(
  dataDir: string,
  name: string,
  use: (database: Database, directory: string) => Promise<T>,
): Promise<T> {
  // On PostgreSQL, nothing else may be kept in it.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const directory = createScratchPath(dataDir, name);
  mkdirSync(directory, { mode: 0o700 });
  try {
    const database = openSqlite(sqliteFile(directory));
    return await use(database, directory).finally(() => database.close());
  } finally {
    removeScratch(directory);
  }
}

async function replaceTables<T>({ settings, replaces, fill }: Replacement<T>) {
  const database = openDatabase(settings);
  try {
    const names = await withScratchDatabase(settings.dataDir, 'schema', listNames);
    const result = await database.exclusively(async (tx) => {
      const within = withinTransaction(database, tx);
      if (await within.hasTable('schema_migrations')) {
        if (!replaces && (await hasContents(within))) throw notEmpty(database.location);
        await dropTables(tx, names);
      }
      return fill(within);
    });
    return { result, kept: null };
  } finally {
    await database.close();
  }
}

/** Returns the names of the tables of this release. */
async function listNames(database: Database): Promise<string[]> {
  await migrate(database);
  return (await listTables(database, database.engine)).map(({ name }) => name);
}

async function hasContents(database: Database): Promise<boolean> {
  const tables = await listTables(database, database.engine);
  return hasRows(
    database,
    tables.filter(({ name }) => name === 'users' || name === 'events'),
  );
}

function notEmpty(location: string): DatabaseNotEmpty {
  return new DatabaseNotEmpty(`${location} has users or events already: add --replace to replace them`);
}

async function replaceFile<T>({ settings, replaces, fill }: Replacement<T>) {
  const name = sqliteFile(settings.dataDir);
  const existed = existsSync(name);
  const release = lockSqlite(name);
  // The lock has created the target of a link.
  const file = realpathSync(name);
  try {
    const isEmpty = statSync(file).size === 0;
    if (!isEmpty && !replaces) await checkEmpty(file);
    return await withScratchDatabase(settings.dataDir, 'restore', async (database, directory) => {
      const result = await fill(database);
      await database.close();
      const kept = isEmpty ? null : await keep(file);
      renameSync(sqliteFile(directory), file);
      syncDirectory(dirname(file));
      return { result, kept };
    });
  } finally {
    if (!existed && statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
    release();
  }
}

async function checkEmpty(file: string): Promise<void> {
  const database = openSqlite(file);
  try {
    if ((await database.hasTable('schema_migrations')) && (await hasContents(database))) throw notEmpty(file);
  } finally {
    await database.close();
  }
}

/** Links the old file under a second name, and returns that name. */
async function keep(file: string): Promise<string> {
  removeUnusedNames(file);
  const kept = `${file}.replaced-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
  await emptyJournal(file);
  linkSync(file, kept);
  // Only of a damaged file: SQLite would apply them to the new one.
  for (const ending of ['-wal', '-shm'])
    if (existsSync(file + ending)) renameSync(file + ending, kept + ending);
  return kept;
}

/** A process that was killed before it replaced the file has left such a name. */
function removeUnusedNames(file: string): void {
  const { ino } = statSync(file);
  const directory = dirname(file);
  const names = readdirSync(directory).filter((name) => name.startsWith(`${basename(file)}.replaced-`));
  for (const name of names) if (statSync(join(directory, name)).ino === ino) rmSync(join(directory, name));
}

async function emptyJournal(file: string): Promise<void> {
  try {
    await openSqlite(file).close();
  } catch {
    // The file is damaged: its journal is kept beside it.
  }
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Returns the database as code inside `tx` sees it, so that what opens transactions can be part of a larger one. */
function withinTransaction(database: Database, tx: Tx): Database {
  const run: Database['transaction'] = (work) => work(tx);
  return {
    ...database,
    get: tx.get,
    all: tx.all,
    transaction: run,
    exclusively: run,
    hasTable: async (name) => {
      const tables = await listTables(tx, database.engine);
      return tables.some((table) => table.name === name);
    },
  };
}

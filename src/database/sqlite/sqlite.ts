/**
 * SQLite engine: one writer and one reader in WAL mode; acknowledged writes survive a power failure (synchronous=FULL).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  type Statement,
  sql,
  type TextSearch,
  type Tx,
} from '../database.ts';
import { LateWrites } from '../late-writes.ts';
import { SqliteConnection } from './connection.ts';
import { SqliteFile } from './file.ts';
import { TransactionQueue, toTx } from './transaction-queue.ts';

const dialect: Dialect = {
  engine: 'sqlite',
  text: 'text',
  key: 'text',
  integer: 'integer',
  float: 'real',
  bytes: 'blob',
  tableOptions: 'strict, without rowid',
};

/** Opens the file, creating it when it is new. @throws DatabaseUnavailable naming a file that cannot be used */
export function openSqlite(path: string): Database {
  const file = openFile(path);
  const { reader } = file;
  const queue = new TransactionQueue(file);
  const transaction: Database['transaction'] = (work, options) => queue.add(work, options);
  const get: Database['get'] = async (statement, ...values) => reader.get(statement, values);
  return {
    kind: 'database',
    engine: 'sqlite',
    isShared: false,
    sharedLimits: null,
    readPool: null,
    readVersion: () => reader.get(DATA_VERSION, [])!.data_version,
    location: path,
    dialect,
    transaction,
    exclusively: (work) => transaction(work, { isLong: true }),
    snapshot: (work) => readSnapshot(path, work),
    textSearch: textSearch({ get, transaction }),
    get,
    all: async (statement, ...values) => reader.all(statement, values),
    ping: async () => {
      file.check();
      // Repeats the statement that met the damage first, because that empties the page cache.
      reader.recheck();
      reader.readTables();
      if (file.writer.isDamaged) await recheckWriter(file.writer, transaction);
    },
    hasTable: async (name) => reader.get(FIND_TABLE, [name]) !== undefined,
    // One process has the file to itself.
    startClock: async () => Date.now,
    close: async () => {
      await queue.finish();
      file.close();
    },
  };
}

/** Changes with the commits of other connections: this one only reads. */
const DATA_VERSION: Statement<{ data_version: number }> = { name: 'version', text: 'pragma data_version' };

const FIND_TABLE = sql("select name from sqlite_schema where type = 'table' and name = $1");

function openFile(path: string): SqliteFile {
  try {
    return new SqliteFile(path);
  } catch (error) {
    throw new DatabaseUnavailable(new Error(`${path}: ${(error as Error).message}`, { cause: error }));
  }
}

/** On a connection of its own: its transaction lasts as long as `work`. */
async function readSnapshot<T>(path: string, work: (reader: Tx) => Promise<T>): Promise<T> {
  const connection = new SqliteConnection(path, { fileMustExist: true, readOnly: true });
  try {
    connection.run(BEGIN_READING, []);
    return await work(toTx(connection, { own: new LateWrites(), group: new LateWrites() }, () => true));
  } finally {
    connection.close();
  }
}

const BEGIN_READING: Statement<unknown> = { name: 'begin reading', text: 'begin' };

class RolledBack extends Error {}

/** Repeats the write that found damage in a transaction that is rolled back. @throws DatabaseUnavailable */
async function recheckWriter(writer: SqliteConnection, transaction: Database['transaction']): Promise<void> {
  const attempt = transaction(async () => {
    writer.recheck();
    throw new RolledBack();
  });
  await attempt.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}

/** Each trigram is a string of the query, which requires all of them. Quotation marks in strings are doubled. */
const FIND: TextSearch['find'] = sql(`
  select user_texts.user_id as id
  from user_trigrams join user_texts on user_texts.id = user_trigrams.rowid
  where user_trigrams match (
    select group_concat('"' || replace(value, '"', '""') || '"', ' ') from json_each($1))
  limit $2`);

/** Pages that are written at once: some milliseconds. */
const MERGED_PAGES = 16;

const DELETIONS = sql<{ total: number }>('select total from deleted_texts');
const FORGET_DELETIONS = sql('update deleted_texts set total = 0 where total = $1');
const MERGE = sql("insert into user_trigrams (user_trigrams, rank) values ('merge', $1)");
const CHANGES = sql<{ total: number }>('select total_changes() as total');

/** Search by trigrams with FTS5 (https://sqlite.org/fts5.html). */
export function textSearch({ get, transaction }: Pick<Database, 'get' | 'transaction'>): TextSearch {
  /** FTS5 only marks entries as deleted. Merging all of its segments into one leaves them out. */
  const purge: TextSearch['purge'] = async (isStopped) => {
    const { total } = (await get(DELETIONS))!;
    if (total === 0) return;
    // A negative number begins to merge all segments.
    let pages = -MERGED_PAGES;
    while (!(await transaction((tx) => merge(tx, pages), { isLong: true }))) {
      if (isStopped()) return;
      pages = MERGED_PAGES;
      await nextTurn();
    }
    // Texts that were deleted meanwhile are left for the next time.
    await transaction((tx) => tx.run(FORGET_DELETIONS, total));
  };
  return { find: FIND, purge };
}

/** Returns whether nothing is left to merge, which FTS5 shows by changing less than two rows. */
async function merge(tx: Tx, pages: number): Promise<boolean> {
  const { total: before } = (await tx.get(CHANGES))!;
  await tx.run(MERGE, pages);
  const { total } = (await tx.get(CHANGES))!;
  return total - before < 2;
}

/** Reads the lines of a backup into the tables of a database with its schema. */
import { createHash } from 'node:crypto';
import { type Database, DatabaseUnavailable, type Value } from '../../../database/database.ts';
import { deleteRows, insertRows, type Table } from '../../../database/tables.ts';
import {
  BackupRejected,
  type Manifest,
  parseLine,
  SESSION_TABLES,
  type Trailer,
} from '../format/manifest.ts';

/** Is called with the number of rows so far. */
export type ReportRows = (rows: number) => void;

/** Rows per transaction: each commit on SQLite waits for the disk. */
const ROWS_PER_TRANSACTION = 5_000;

interface Target {
  readonly database: Database;
  readonly tables: readonly Table[];
  readonly onRows: ReportRows;
}

/** Reads the lines after the manifest, and verifies the trailer. @throws BackupRejected */
export async function readTables(lines: AsyncIterator<string>, { id }: Manifest, target: Target) {
  // What the migrations have inserted is among the rows of the backup.
  await target.database.transaction(async (tx) => {
    for (const table of target.tables.toReversed()) await deleteRows(tx, table);
  });
  const digests: Record<string, Trailer['tables'][string]> = {};
  let rows = 0;
  let line = await nextLine(lines);
  for (const table of target.tables) {
    // In backups of earlier releases.
    if (SESSION_TABLES.includes(table.name) && !line.startsWith(`{"table":"${table.name}"`)) continue;
    checkHeader(line, table);
    const onRows = (count: number) => target.onRows(rows + count);
    const read = await readTable(lines, table, { ...target, onRows });
    rows += read.digest.rows;
    digests[table.name] = read.digest;
    line = read.next;
  }
  const { trailer } = parseLine(line) as { readonly trailer?: Trailer };
  if (trailer === undefined) throw new BackupRejected('it has a table that its schema does not have');
  checkTrailer(trailer, id, digests);
  if ((await lines.next()).done !== true) throw new BackupRejected('it goes on after its end');
  return { rows, trailer };
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { done, value } = await lines.next();
  if (done === true) throw new BackupRejected('it was cut off');
  return value;
}

function checkHeader(line: string, { name, columns }: Table): void {
  const header = parseLine(line) as { readonly table?: unknown; readonly columns?: unknown };
  if (header.table !== name)
    throw new BackupRejected(
      `it has ${JSON.stringify(header.table ?? 'the end')} where the table ${name} should be: tables are missing or in another order`,
    );
  if (JSON.stringify(header.columns) !== JSON.stringify(columns.map((column) => column.name)))
    throw new BackupRejected(`the columns of ${name} are not those of its schema`);
}

async function readTable(lines: AsyncIterator<string>, table: Table, { database, onRows }: Target) {
  const sha256 = createHash('sha256');
  let rows = 0;
  let batch: Value[][] = [];
  const store = async () => {
    const stored = batch;
    batch = [];
    await database
      .transaction((tx) => insertRows(tx, table, stored))
      .catch((error) => {
        if (error instanceof DatabaseUnavailable) throw error;
        throw new BackupRejected(`rows of ${table.name} cannot be stored: ${(error as Error).message}`);
      });
    rows += stored.length;
    onRows(rows);
  };
  let line = await nextLine(lines);
  for (; line.startsWith('['); line = await nextLine(lines)) {
    sha256.update(line).update('\n');
    batch.push(decodeRow(line, table));
    if (batch.length === ROWS_PER_TRANSACTION) await store();
  }
  await store();
  return { next: line, digest: { rows, sha256: sha256.digest('hex') } };
}

function decodeRow(line: string, { name, columns }: Table): Value[] {
  const row = parseLine(line) as unknown[];
  if (row.length !== columns.length)
    throw new BackupRejected(`a row of ${name} has too many or too few values`);
  return columns.map((column, index) => {
    const value = decode(row[index], column.kind);
    if (value === undefined) throw new BackupRejected(`a value of ${name}.${column.name} has the wrong type`);
    return value;
  });
}

/** Returns undefined for a value of another type. */
function decode(value: unknown, kind: Table['columns'][number]['kind']): Value | undefined {
  if (value === null) return null;
  if (typeof value === 'string') {
    if (kind === 'bytes') return Buffer.from(value, 'base64');
    return kind === 'text' ? value : undefined;
  }
  const isNumber = kind === 'float' ? typeof value === 'number' : Number.isSafeInteger(value);
  return isNumber && (kind === 'float' || kind === 'integer') ? (value as number) : undefined;
}

function checkTrailer({ id, tables }: Trailer, expectedId: string, digests: Trailer['tables']): void {
  if (id !== expectedId) throw new BackupRejected('its end is that of another backup');
  for (const [name, { rows, sha256 }] of Object.entries(digests)) {
    const stated = tables?.[name];
    if (stated?.rows !== rows)
      throw new BackupRejected(`${name} has ${rows} rows, its end states ${stated?.rows}`);
    if (stated.sha256 !== sha256) throw new BackupRejected(`rows of ${name} were changed`);
  }
}

/** Writes a backup: all tables in one snapshot, as lines of JSON that any engine can read. */
import { createHash } from 'node:crypto';
import { createWriteStream, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import type { Database, Reader, Value } from '../../database/database.ts';
import { readPages, type Table } from '../../database/tables.ts';
import { createScratchPath, readVersion, removeScratch } from '../../lib/files.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { formatTimestamp } from '../../lib/time.ts';
import { readChain } from '../events/queries.ts';
import {
  FORMAT,
  listStoredTables,
  type Manifest,
  readKeyFingerprint,
  SESSION_TABLES,
  type Trailer,
} from './format/manifest.ts';
import { writeCompressed } from './format/streams.ts';
import { listMigrations } from './queries.ts';

interface WriteOptions {
  /** Public keys of age; the backup is not encrypted if there are none. */
  readonly recipients: readonly string[];
  /** Is called with the number of rows so far. */
  readonly onRows?: (rows: number) => void;
}

/** Writes a backup into a file that only its owner can read, and which appears when it is complete. */
export async function writeBackupFile(database: Database, file: string, options: WriteOptions) {
  const scratch = createScratchPath(dirname(file), 'frontdesk-backup');
  try {
    // `flush`: the content is on the disk before the file gets its name.
    const output = createWriteStream(scratch, { flags: 'wx', mode: 0o600, flush: true });
    const rows = await writeBackup(database, output, options);
    renameSync(scratch, file);
    return { rows, bytes: statSync(file).size };
  } finally {
    removeScratch(scratch);
  }
}

/** Writes the backup, and returns the number of its rows. `output` is ended, unless it is that of the process. */
export async function writeBackup(
  database: Database,
  output: Writable,
  { recipients, onRows = () => {} }: WriteOptions,
): Promise<number> {
  let total = 0;
  const count = (rows: number) => {
    total += rows;
    onRows(total);
  };
  await database.snapshot((reader) =>
    writeCompressed(readBackup(reader, database.engine, count), output, recipients),
  );
  return total;
}

async function* readBackup(reader: Reader, engine: Database['engine'], onRows: (rows: number) => void) {
  const migrations = (await listMigrations(reader)).map(({ version }) => version);
  const manifest: Manifest = {
    format: FORMAT,
    id: newId(),
    release: readVersion(),
    schema: migrations.at(-1)!,
    migrations,
    engine,
    created_at: formatTimestamp(Date.now()),
    key_fingerprint: await readKeyFingerprint(reader),
  };
  yield `${JSON.stringify(manifest)}\n`;
  const tables: Record<string, Trailer['tables'][string]> = {};
  for (const table of await listStoredTables(reader, engine)) {
    if (SESSION_TABLES.includes(table.name)) continue;
    yield `${JSON.stringify({ table: table.name, columns: table.columns.map(({ name }) => name) })}\n`;
    tables[table.name] = yield* readTable(reader, table, onRows);
  }
  const { number, digest } = await readChain(reader);
  const trailer: Trailer = { id: manifest.id, tables, head: { number, digest } };
  yield `${JSON.stringify({ trailer })}\n`;
}

async function* readTable(reader: Reader, table: Table, onRows: (rows: number) => void) {
  const sha256 = createHash('sha256');
  let rows = 0;
  for await (const page of readPages(reader, table)) {
    const text = page.map((row) => `${JSON.stringify(row.map(encode))}\n`).join('');
    sha256.update(text);
    rows += page.length;
    onRows(page.length);
    yield text;
  }
  return { rows, sha256: sha256.digest('hex') };
}

/** Bytes are the only values that JSON has no type for. */
function encode(value: Value): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

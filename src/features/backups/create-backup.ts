/** Writes a backup: all tables in one snapshot, as lines of JSON that any engine can read. */
import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { Database, Reader, Value } from '../../database/database.ts';
import { readPages, type Table } from '../../database/tables.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { formatTimestamp } from '../../lib/time/clock.ts';
import { readVersion } from '../../lib/version.ts';
import { readChain } from '../events/queries.ts';
import {
  FORMAT,
  listStoredTables,
  type Manifest,
  readKeyFingerprint,
  type TableDigest,
  type Trailer,
} from './format/manifest.ts';
import { writeCompressed } from './format/streams.ts';
import { readSchemaVersion } from './queries.ts';

/** Is called with the number of rows so far. */
export type ReportRows = (rows: number) => void;

/** Writes the backup, and returns the number of its rows. */
export async function writeBackup(
  database: Database,
  output: Writable,
  options: { readonly recipient: string | null; readonly end?: boolean; readonly onRows?: ReportRows },
): Promise<number> {
  const { onRows = () => {} } = options;
  let total = 0;
  const count = (rows: number) => {
    total += rows;
    onRows(total);
  };
  await database.snapshot((reader) =>
    writeCompressed(readBackup(reader, database.engine, count), output, options),
  );
  return total;
}

/** Returns the text of the backup in parts. */
async function* readBackup(
  reader: Reader,
  engine: Database['engine'],
  onRows: ReportRows,
): AsyncGenerator<string> {
  const manifest: Manifest = {
    format: FORMAT,
    id: newId(),
    release: readVersion(),
    schema: await readSchemaVersion(reader),
    engine,
    created_at: formatTimestamp(Date.now()),
    key_fingerprint: await readKeyFingerprint(reader),
  };
  yield `${JSON.stringify(manifest)}\n`;
  const tables: Record<string, TableDigest> = {};
  for (const table of await listStoredTables(reader, engine)) {
    yield `${JSON.stringify({ table: table.name, columns: table.columns.map(({ name }) => name) })}\n`;
    tables[table.name] = yield* readTable(reader, table, onRows);
  }
  const { number, digest } = await readChain(reader);
  const trailer: Trailer = { id: manifest.id, tables, head: { number, digest } };
  yield `${JSON.stringify({ trailer })}\n`;
}

async function* readTable(
  reader: Reader,
  table: Table,
  onRows: ReportRows,
): AsyncGenerator<string, TableDigest> {
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

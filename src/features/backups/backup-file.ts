/** Writes backups as files, which appear when they are complete. */
import { createWriteStream, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import type { Database } from '../../database/database.ts';
import { createScratchPath, removeScratch } from '../../lib/files/scratch.ts';
import { type ReportRows, writeBackup } from './create-backup.ts';

export interface WrittenBackup {
  readonly rows: number;
  readonly bytes: number;
}

/** Writes a backup into a file that only its owner can read. An existing one is replaced. */
export async function writeBackupFile(
  database: Database,
  file: string,
  options: { readonly recipient: string | null; readonly onRows?: ReportRows },
): Promise<WrittenBackup> {
  const rows = await writeWhole(file, (output) => writeBackup(database, output, options));
  return { rows, bytes: statSync(file).size };
}

/** Calls `write`, which ends the stream, and gives the file its name after that. */
export async function writeWhole<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  const scratch = createScratchPath(dirname(file), 'frontdesk-backup');
  try {
    // `flush`: the content is on the disk before the file gets its name.
    const result = await write(createWriteStream(scratch, { flags: 'wx', mode: 0o600, flush: true }));
    renameSync(scratch, file);
    return result;
  } finally {
    removeScratch(scratch);
  }
}

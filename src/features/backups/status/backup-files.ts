/** The scheduled backups of this database in the order in which they were made, and which of them are deleted. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Reader, Tx } from '../../../database/database.ts';
import { readSetting, writeSetting } from '../../../database/settings.ts';
import { type BackupReport, nameBackup } from './backup-events.ts';

export interface BackupFile {
  readonly file: string;
  /** The last report: created means that it was not verified, or not yet. */
  readonly state: BackupReport['kind'];
}

interface Retention {
  readonly keep: number;
  readonly verifies: boolean;
}

/** The setting of the database that lists them: their events are deleted after a while. */
const FILES_SETTING = 'backup_files';
/** Listed in addition to those that are kept: files of other nodes, and files that somebody else has deleted. */
const MAX_FURTHER = 1_000;

/** Returns the list after a report about a file. */
export function noteReport(files: readonly BackupFile[], { file, state }: BackupFile): BackupFile[] {
  if (state === 'created') return [...files.filter((each) => each.file !== file), { file, state }];
  return files.map((each) => (each.file === file ? { file, state } : each));
}

/** Returns the files that a verified one supersedes, or any if none are verified. One that has failed supersedes those before it that have. */
export function findSuperseded(files: readonly BackupFile[], { keep, verifies }: Retention) {
  const findLast = (state: BackupFile['state']) => files.findLastIndex((each) => each.state === state);
  const lastVerified = findLast('verified');
  const lastFailed = findLast('failed');
  const end = verifies ? lastVerified : files.length - 1;
  const kept = files.filter(({ state }) => state !== 'failed').slice(-keep);
  return files.filter((each, index) => {
    if (each.state === 'failed') return index < Math.max(lastFailed, lastVerified);
    return index < end && index !== lastVerified && !kept.includes(each);
  });
}

/** Returns a name that is free: after a clock was set back, a file may have that of this second. */
export function findFreeName(
  names: { has(name: string): boolean },
  { now, isEncrypted }: { readonly now: number; readonly isEncrypted: boolean },
): string {
  for (let time = now; ; time += 1_000) {
    const name = nameBackup(time, isEncrypted);
    if (!names.has(name)) return name;
  }
}

/** Stores a report about a file. */
export async function recordFile(tx: Tx, report: BackupFile): Promise<void> {
  await writeFiles(tx, noteReport(await readFiles(tx), report));
}

/** Deletes superseded files in the directory. */
export async function deleteSuperseded(
  database: Database,
  { directory, ...retention }: Retention & { readonly directory: string },
): Promise<void> {
  const present = await readdir(directory).catch((): string[] => []);
  const files = (await readFiles(database)).filter(({ file }) => present.includes(file));
  const superseded = findSuperseded(files, retention).map(({ file }) => file);
  if (superseded.length === 0) return;
  for (const file of superseded) await rm(join(directory, file), { force: true });
  await database.transaction(async (tx) => {
    const rest = (await readFiles(tx)).filter(({ file }) => !superseded.includes(file));
    await writeFiles(tx, rest.slice(-retention.keep - MAX_FURTHER));
  });
}

const writeFiles = (tx: Tx, files: readonly BackupFile[]) =>
  writeSetting(tx, FILES_SETTING, JSON.stringify(files));

async function readFiles(reader: Reader): Promise<readonly BackupFile[]> {
  return JSON.parse((await readSetting(reader, FILES_SETTING)) ?? '[]');
}

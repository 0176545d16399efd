/** The process that makes and verifies a scheduled backup, at the lowest priority. Ends with the service. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { type DatabaseSettings, openDatabase } from '../../database/open.ts';
import { type WrittenBackup, writeBackupFile, writeWhole } from '../../features/backups/backup-file.ts';
import { encryptFile } from '../../features/backups/format/streams.ts';
import { isBackupName } from '../../features/backups/status/record-backup.ts';
import { createScratchPath, removeScratch } from '../../lib/files/scratch.ts';
import { verifyBackup } from './verify-backup.ts';

export interface BackupTask {
  readonly database: DatabaseSettings;
  readonly secretKey: string;
  readonly directory: string;
  readonly name: string;
  readonly keep: number;
  readonly verifies: boolean;
  readonly recipient: string | null;
}

export type BackupMessage =
  | ({ readonly kind: 'created'; readonly durationMs: number } & WrittenBackup)
  | { readonly kind: 'verified'; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done' };

const LOWEST_PRIORITY = 19;

process.umask(0o077);
setPriority(LOWEST_PRIORITY);
process.once('disconnect', () => process.exit());
process.once('message', async (task: BackupTask) => {
  try {
    await makeBackup(task);
    send({ kind: 'done' }, () => process.exit());
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message }, () => process.exit());
  }
});

function send(message: BackupMessage, onSent: () => void = () => {}): void {
  process.send!(message, onSent);
}

async function makeBackup(task: BackupTask): Promise<void> {
  const { directory, name, recipient, verifies } = task;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, name);
  if (recipient !== null && verifies) return encryptAndVerify(task, file, recipient);
  const start = performance.now();
  finish(task, start, await write(task, file, recipient));
  if (verifies) await verify(task, file);
}

/** What is encrypted cannot be verified here, because the secret key is elsewhere. */
async function encryptAndVerify(task: BackupTask, file: string, recipient: string): Promise<void> {
  const { dataDir } = task.database;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const directory = createScratchPath(dataDir, 'backup');
  mkdirSync(directory, { mode: 0o700 });
  const plain = join(directory, 'backup.zst');
  try {
    const start = performance.now();
    const { rows } = await write(task, plain, null);
    await writeWhole(file, (output) => encryptFile(plain, output, recipient));
    finish(task, start, { rows, bytes: statSync(file).size });
    await verify(task, plain);
  } finally {
    removeScratch(directory);
  }
}

async function write(task: BackupTask, file: string, recipient: string | null): Promise<WrittenBackup> {
  const database = openDatabase(task.database);
  return await writeBackupFile(database, file, { recipient }).finally(() => database.close());
}

function finish(task: BackupTask, start: number, written: WrittenBackup): void {
  deleteOldBackups(task);
  send({ kind: 'created', durationMs: Math.round(performance.now() - start), ...written });
}

function deleteOldBackups({ directory, keep }: BackupTask): void {
  const names = readdirSync(directory).filter(isBackupName).sort();
  for (const name of names.slice(0, -keep)) rmSync(join(directory, name), { force: true });
}

async function verify({ database, secretKey }: BackupTask, file: string): Promise<void> {
  const start = performance.now();
  await verifyBackup({ file, identity: null, secretKey }, { dataDir: database.dataDir });
  send({ kind: 'verified', durationMs: Math.round(performance.now() - start) });
}

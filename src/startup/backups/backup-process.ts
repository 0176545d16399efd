/** The process that makes and verifies a scheduled backup, at the lowest priority. Ends with the service. */
import { mkdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { compareSchema } from '../../database/migrate.ts';
import { type DatabaseSettings, openDatabase } from '../../database/open.ts';
import { writeBackupFile } from '../../features/backups/create-backup.ts';
import type { BackupReport } from '../../features/backups/status/backup-events.ts';
import { verifyBackup } from './verify-backup.ts';

export interface BackupTask {
  readonly database: DatabaseSettings;
  readonly secretKey: string;
  readonly directory: string;
  readonly name: string;
  readonly verifies: boolean;
  readonly recipient: string | null;
}

const LOWEST_PRIORITY = 19;

process.umask(0o077);
setPriority(LOWEST_PRIORITY);
process.once('disconnect', () => process.exit());
process.once('message', async (task: BackupTask) => {
  try {
    await makeBackup(task);
    process.send!({ kind: 'done' }, () => process.exit());
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message }, () => process.exit());
  }
});

function send(report: BackupReport, onSent: () => void = () => {}): void {
  process.send!(report, onSent);
}

async function makeBackup(task: BackupTask): Promise<void> {
  const { directory, name, verifies } = task;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { recipients, identities } = await createKeys(task);
  const file = join(directory, name);
  let start = performance.now();
  const takeDuration = () => Math.round(performance.now() - start);
  const database = openDatabase(task.database);
  const write = async () => {
    const written = await writeBackupFile(database, file, { recipients });
    // A node of the release before cannot restore the schema of the next one, whose nodes verify their own backups.
    return { written, isRestorable: (await compareSchema(database)).newer === null };
  };
  const { written, isRestorable } = await write().finally(() => database.close());
  send({ kind: 'created', durationMs: takeDuration(), ...written });
  if (!verifies || !isRestorable) return;
  start = performance.now();
  const { secretKey, database: settings } = task;
  await verifyBackup({ file, identities, secretKey }, { dataDir: settings.dataDir });
  send({ kind: 'verified', durationMs: takeDuration() });
}

/** The operator's secret key is elsewhere: a second one, which no file has, decrypts the backup for the drill. */
async function createKeys({ recipient, verifies }: BackupTask) {
  if (recipient === null) return { recipients: [], identities: [] };
  if (!verifies) return { recipients: [recipient], identities: [] };
  const { generateHybridIdentity, identityToRecipient } = await import('age-encryption');
  // As strong as that of any recipient.
  const identity = await generateHybridIdentity();
  return { recipients: [recipient, await identityToRecipient(identity)], identities: [identity] };
}

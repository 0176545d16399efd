/** Checks that backups are made. */
import type { Reader } from '../../../database/database.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { findBackupProblem, readBackupStatus } from '../../backups/status/backup-events.ts';
import type { BackupSettings } from '../../backups/status/list-backups.ts';
import { type Finding, ok, warning } from './finding.ts';

/** `startedAt`: since when the service could have made one, in epoch milliseconds. */
export async function checkBackups(
  database: Reader,
  { directory, everyHours, verifies }: BackupSettings,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): Promise<Finding> {
  if (directory === null) return ok('backups', 'BACKUP_DIR is not set: the service makes no backups');
  const status = await readBackupStatus(database, now);
  const { created, verified } = status;
  const problem = findBackupProblem(status, { everyHours, verifies, startedAt, now });
  if (problem !== null) return warning('backups', `${problem}: see "npm run cli -- api listBackups"`);
  if (created === null) return ok('backups', 'the first backup is about to be made');
  const made = `the last backup is of ${formatTimestamp(created.at)}`;
  if (!verifies) return ok('backups', `${made}, and BACKUP_VERIFY is off`);
  return ok(
    'backups',
    `${made}; the last verified one of ${verified === null ? '-' : formatTimestamp(verified.at)}`,
  );
}

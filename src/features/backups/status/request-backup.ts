/** Requests a backup, which a node with BACKUP_DIR makes. */
import { writeSetting } from '../../../database/settings.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { BackupsDeps } from './list-backups.ts';
import { REQUEST_SETTING } from './read-status.ts';
import { SUBJECT } from './record-backup.ts';

/** @throws Problem backups_disabled */
export async function requestBackup({ database, clock, backups }: BackupsDeps): Promise<void> {
  if (backups.directory === null) throw new Problem('backups_disabled');
  const now = clock();
  await database.transaction(async (tx) => {
    await writeSetting(tx, REQUEST_SETTING, String(now));
    await recordEvent(tx, { type: 'backup.requested', subject: SUBJECT, now });
  });
}

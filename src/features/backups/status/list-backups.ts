/** Lists the latest backups of the service, says what is wrong, and requests another. */
import type { Database, DatabaseDeps } from '../../../database/database.ts';
import { writeSetting } from '../../../database/settings.ts';
import { formatTimestamp, optionalTimestamp } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { recordEvent } from '../../events/record-event.ts';
import {
  findBackupProblem,
  getNextTime,
  listBackupEvents,
  REQUEST_SETTING,
  readBackupStatus,
  SUBJECT,
} from './backup-events.ts';

const MAX_LISTED = 50;

export interface BackupSettings {
  /** Null: no backups are made. */
  readonly directory: string | null;
  readonly everyHours: number;
  readonly keep: number;
  readonly verifies: boolean;
  readonly recipient: string | null;
}

export interface BackupsDeps extends DatabaseDeps {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly backups: BackupSettings;
}

export async function listBackups({ database, clock, startedAt, backups }: BackupsDeps) {
  const { directory, everyHours, keep, verifies, recipient } = backups;
  const now = clock();
  const status = await readBackupStatus(database, now);
  const { created, verified, request } = status;
  const next = Math.max(now, getNextTime(status, everyHours));
  return {
    schedule: { directory, every_hours: everyHours, keep, verifies, is_encrypted: recipient !== null },
    created_at: optionalTimestamp(created?.at ?? null),
    verified_at: optionalTimestamp(verified?.at ?? null),
    next_at: directory === null ? null : formatTimestamp(Math.floor(next)),
    is_requested: request !== null,
    problem: directory === null ? null : findBackupProblem(status, { everyHours, verifies, startedAt, now }),
    backups: await listLatest(database),
  };
}

async function listLatest(database: Database) {
  const range = { now: Number.MAX_SAFE_INTEGER, limit: MAX_LISTED };
  const verified = await listBackupEvents(database, 'verified', range);
  const created = await listBackupEvents(database, 'created', range);
  const failed = await listBackupEvents(database, 'failed', range);
  const latest = [...created, ...failed].sort((a, b) => b.at - a.at).slice(0, MAX_LISTED);
  return latest.map(({ at, message, ...backup }) => {
    const verification = verified.find(({ file }) => file === backup.file);
    return {
      ...backup,
      time: formatTimestamp(at),
      verified_at: optionalTimestamp(verification?.at ?? null),
      verification_ms: verification?.duration_ms ?? null,
      failure: message,
    };
  });
}

/** Requests a backup, which a node with BACKUP_DIR makes. @throws Problem backups_disabled */
export async function requestBackup({ database, clock, backups }: BackupsDeps): Promise<void> {
  if (backups.directory === null) throw new Problem('backups_disabled');
  const now = clock();
  await database.transaction(async (tx) => {
    await writeSetting(tx, REQUEST_SETTING, String(now));
    await recordEvent(tx, { type: 'backup.requested', subject: SUBJECT, now });
  });
}

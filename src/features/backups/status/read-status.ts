/** Reads what the record of events says about the backups that the service makes. */
import type { Reader } from '../../../database/database.ts';
import { readSetting } from '../../../database/settings.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import type { EventType } from '../../events/event-types.ts';
import { findLatestOfSystem } from '../queries.ts';
import { SUBJECT } from './record-backup.ts';

export interface BackupEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  readonly durationMs: number | null;
  /** Why it failed. */
  readonly message: string | null;
}

/** The latest of each kind; null if there is none. */
export interface BackupStatus {
  readonly created: BackupEvent | null;
  readonly verified: BackupEvent | null;
  readonly failed: BackupEvent | null;
  /** Whether an administrator has requested one that was not begun yet. */
  readonly isRequested: boolean;
}

/** The setting of the database that a request sets until a backup begins. */
export const REQUEST_SETTING = 'backup_requested';

/** Returns the status, the same on all nodes. Commands of an operator write other backups, which do not count. */
export async function readBackupStatus(reader: Reader): Promise<BackupStatus> {
  const find = (type: EventType) => findEvent(reader, type);
  return {
    created: await find('backup.created'),
    verified: await find('backup.verified'),
    failed: await find('backup.failed'),
    isRequested: (await readSetting(reader, REQUEST_SETTING)) !== undefined,
  };
}

async function findEvent(reader: Reader, type: EventType): Promise<BackupEvent | null> {
  const row = await findLatestOfSystem(reader, SUBJECT, type);
  return row === undefined ? null : toBackupEvent(row);
}

/** Returns the event with the details that it has. */
export function toBackupEvent(row: {
  readonly created_at: number;
  readonly data: string | null;
}): BackupEvent {
  const details = JSON.parse(row.data ?? '{}').details ?? {};
  const { file = null, bytes = null, rows = null, duration_ms: durationMs = null, message = null } = details;
  return { at: row.created_at, file, bytes, rows, durationMs, message };
}

/** The intervals after which a backup is overdue. */
const OVERDUE_AFTER = 2;

/** Returns what is wrong, or null. `everyHours`: BACKUP_EVERY. */
export function findBackupProblem(
  { created, failed }: BackupStatus,
  { everyHours, startedAt, now }: { everyHours: number; startedAt: number; now: number },
): string | null {
  // The event of a failed verification follows that of its backup.
  if (failed !== null && failed.at >= (created?.at ?? 0)) return `the last backup failed: ${failed.message}`;
  const age = now - (created?.at ?? startedAt);
  if (age <= OVERDUE_AFTER * everyHours * HOUR) return null;
  const hours = (age / HOUR).toFixed(1);
  return created === null
    ? `there is no backup after ${hours} hours`
    : `the last backup is ${hours} hours old`;
}

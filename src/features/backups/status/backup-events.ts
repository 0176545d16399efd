/** Events of backups, which are also what the service knows about them. */
import { basename } from 'node:path';
import type { Reader, Tx } from '../../../database/database.ts';
import { readSetting } from '../../../database/settings.ts';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { parseData } from '../../events/event-view.ts';
import { recordEvent } from '../../events/record-event.ts';
import { listLatestOfSystem } from '../queries.ts';

export const SUBJECT = 'backups';
/** The setting of the database that a request sets until a backup begins. */
export const REQUEST_SETTING = 'backup_requested';

/** Returns the name of a backup, which sorts by time. */
export function nameBackup(now: number, isEncrypted: boolean): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `frontdesk-${time}.ndjson.zst${isEncrypted ? '.age' : ''}`;
}

export type BackupReport =
  | { readonly kind: 'created'; readonly durationMs: number; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'verified'; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly message: string };

const TYPES = {
  created: 'backup.created',
  verified: 'backup.verified',
  failed: 'backup.failed',
} as const;

/** Records the event. The details of a failure do not name the file. */
export function recordBackup(
  tx: Tx,
  { kind, ...report }: BackupReport,
  { file, now }: { readonly file: string; readonly now: number },
): Promise<void> {
  const { durationMs: duration_ms, ...others } = { durationMs: undefined, ...report };
  const outcome = kind === 'failed' ? 'failure' : undefined;
  const details = outcome ? others : { file: basename(file), ...others, duration_ms };
  return recordEvent(tx, {
    type: TYPES[kind],
    subject: SUBJECT,
    ...(outcome && { outcome }),
    details,
    now,
  });
}

/** Returns the latest events of one kind with their details, newest first. Those of commands do not count. */
export async function listBackupEvents(
  reader: Reader,
  kind: BackupReport['kind'],
  range: { readonly now: number; readonly limit: number },
) {
  const rows = await listLatestOfSystem(reader, { subject: SUBJECT, type: TYPES[kind], ...range });
  return rows.map(({ created_at, data }) => {
    const none = { file: null, bytes: null, rows: null, duration_ms: null, message: null };
    const details: {
      [Name in keyof typeof none]: (Name extends 'file' | 'message' ? string : number) | null;
    } = {
      ...none,
      ...parseData({ data }).details,
    };
    return { at: created_at, ...details };
  });
}

export type BackupStatus = Awaited<ReturnType<typeof readBackupStatus>>;

/** Returns the latest event of each kind but those of a clock that was ahead by more than a minute, and the request of a backup: the same on all nodes. */
export async function readBackupStatus(reader: Reader, now: number) {
  const find = async (kind: BackupReport['kind']) =>
    (await listBackupEvents(reader, kind, { now: now + MINUTE, limit: 1 }))[0] ?? null;
  return {
    created: await find('created'),
    verified: await find('verified'),
    failed: await find('failed'),
    request: (await readSetting(reader, REQUEST_SETTING)) ?? null,
  };
}

/** After a failure, if BACKUP_EVERY is not shorter. */
const RETRY_MS = HOUR;

/** Returns when the next backup is due; 0: at once. */
export function getNextTime({ created, failed, request }: BackupStatus, everyHours: number): number {
  const everyMs = everyHours * HOUR;
  if (request !== null) return 0;
  if (failed !== null && failed.at >= (created?.at ?? 0)) return failed.at + Math.min(everyMs, RETRY_MS);
  return created === null ? 0 : created.at + everyMs;
}

/** The intervals after which a backup is overdue. */
const OVERDUE_AFTER = 2;

/** Returns what is wrong, or null. `everyHours`: BACKUP_EVERY; `verifies`: BACKUP_VERIFY. */
export function findBackupProblem(
  { created, verified, failed }: BackupStatus,
  options: { everyHours: number; verifies: boolean; startedAt: number; now: number },
): string | null {
  const { everyHours, verifies, startedAt, now } = options;
  // The event of a failed verification follows that of its backup.
  if (failed !== null && failed.at >= (created?.at ?? 0)) return `the last backup failed: ${failed.message}`;
  const isOverdue = (age: number) => age > OVERDUE_AFTER * everyHours * HOUR;
  const formatHours = (age: number) => `${(age / HOUR).toFixed(1)} hours`;
  const age = now - (created?.at ?? startedAt);
  if (isOverdue(age))
    return created === null
      ? `there is no backup after ${formatHours(age)}`
      : `the last backup is ${formatHours(age)} old`;
  const unverified = now - (verified?.at ?? startedAt);
  return verifies && isOverdue(unverified) ? `no backup was verified for ${formatHours(unverified)}` : null;
}

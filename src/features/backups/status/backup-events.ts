/** Events of backups, which are also what the service knows about them. */
import { basename } from 'node:path';
import type { Reader, Tx } from '../../../database/database.ts';
import { readSetting } from '../../../database/settings.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import { recordEvent } from '../../events/record-event.ts';
import { listLatestOfSystem } from '../queries.ts';

export const SUBJECT = 'backups';
/** The setting of the database that a request sets until a backup begins. */
export const REQUEST_SETTING = 'backup_requested';

const NAME = /^frontdesk-\d{8}T\d{6}Z\.ndjson\.zst(\.age)?$/;

/** Returns the name of a backup, which sorts by time. */
export function nameBackup(now: number, isEncrypted: boolean): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `frontdesk-${time}.ndjson.zst${isEncrypted ? '.age' : ''}`;
}

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** What the service reports about a backup that it makes. */
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

export type BackupEvent = Awaited<ReturnType<typeof listBackupEvents>>[number];

/** Returns the latest events of one kind with their details, newest first. Those of commands do not count. */
export async function listBackupEvents(reader: Reader, kind: BackupReport['kind'], limit: number) {
  const rows = await listLatestOfSystem(reader, SUBJECT, `backup.${kind}`, limit);
  return rows.map(({ created_at, data }) => {
    const none = { file: null, bytes: null, rows: null, duration_ms: null, message: null };
    const details: {
      [Name in keyof typeof none]: (Name extends 'file' | 'message' ? string : number) | null;
    } = {
      ...none,
      ...JSON.parse(data ?? '{}').details,
    };
    return { at: created_at, ...details };
  });
}

export type BackupStatus = Awaited<ReturnType<typeof readBackupStatus>>;

/** Returns the latest event of each kind, and whether a backup is requested: the same on all nodes. */
export async function readBackupStatus(reader: Reader) {
  const find = async (kind: BackupReport['kind']) => (await listBackupEvents(reader, kind, 1))[0] ?? null;
  return {
    created: await find('created'),
    verified: await find('verified'),
    failed: await find('failed'),
    isRequested: (await readSetting(reader, REQUEST_SETTING)) !== undefined,
  };
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

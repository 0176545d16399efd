/** Lists the latest backups of the service, and says what is wrong. */
import type { Database } from '../../../database/database.ts';
import { type Clock, formatTimestamp, HOUR, optionalTimestamp } from '../../../lib/time/clock.ts';
import type { EventType } from '../../events/event-types.ts';
import { listLatestOfSystem } from '../queries.ts';
import { type BackupEvent, findBackupProblem, readBackupStatus, toBackupEvent } from './read-status.ts';
import { SUBJECT } from './record-backup.ts';

const MAX_LISTED = 50;

export interface BackupSettings {
  /** Null: no backups are made. */
  readonly directory: string | null;
  readonly everyHours: number;
  readonly keep: number;
  readonly verifies: boolean;
  readonly recipient: string | null;
}

export interface BackupsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly backups: BackupSettings;
}

export async function listBackups({ database, clock, startedAt, backups }: BackupsDeps) {
  const { directory, everyHours, keep, verifies, recipient } = backups;
  const status = await readBackupStatus(database);
  const { created, verified, isRequested } = status;
  const isScheduled = directory !== null;
  const now = clock();
  const next = created === null ? now : created.at + everyHours * HOUR;
  return {
    schedule: { directory, every_hours: everyHours, keep, verifies, is_encrypted: recipient !== null },
    created_at: optionalTimestamp(created?.at ?? null),
    verified_at: optionalTimestamp(verified?.at ?? null),
    next_at: isScheduled ? formatTimestamp(Math.floor(next)) : null,
    is_requested: isRequested,
    problem: isScheduled ? findBackupProblem(status, { everyHours, startedAt, now }) : null,
    backups: await listLatest(database),
  };
}

async function listLatest(database: Database) {
  const read = async (type: EventType) =>
    (await listLatestOfSystem(database, SUBJECT, type, MAX_LISTED)).map(toBackupEvent);
  const verified = new Map((await read('backup.verified')).map((event) => [event.file, event]));
  const created = (await read('backup.created')).map((event) => toView(event, verified.get(event.file)));
  const failed = (await read('backup.failed')).map((event) => toView(event));
  return [...created, ...failed].sort((a, b) => (a.time < b.time ? 1 : -1)).slice(0, MAX_LISTED);
}

function toView({ at, file, bytes, rows, durationMs, message }: BackupEvent, verified?: BackupEvent) {
  return {
    time: formatTimestamp(at),
    file,
    bytes,
    rows,
    duration_ms: durationMs,
    verified_at: optionalTimestamp(verified?.at ?? null),
    verification_ms: verified?.durationMs ?? null,
    failure: message,
  };
}

/** Events of backups, which are also what the service knows about them. */
import { basename } from 'node:path';
import type { Tx } from '../../../database/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { WrittenBackup } from '../backup-file.ts';

export const SUBJECT = 'backups';

const NAME = /^frontdesk-\d{8}T\d{6}Z\.ndjson\.zst(\.age)?$/;

/** Returns the name of a backup, which sorts by time. */
export function nameBackup(now: number, isEncrypted: boolean): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `frontdesk-${time}.ndjson.zst${isEncrypted ? '.age' : ''}`;
}

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

interface NamedBackup {
  readonly file: string;
  readonly durationMs: number;
}

export function recordCreated(
  tx: Tx,
  { file, rows, bytes, durationMs }: WrittenBackup & NamedBackup,
  now: number,
): Promise<void> {
  const details = { file: basename(file), rows, bytes, duration_ms: durationMs };
  return recordEvent(tx, { type: 'backup.created', subject: SUBJECT, details, now });
}

export function recordVerified(tx: Tx, { file, durationMs }: NamedBackup, now: number): Promise<void> {
  const details = { file: basename(file), duration_ms: durationMs };
  return recordEvent(tx, { type: 'backup.verified', subject: SUBJECT, details, now });
}

export function recordFailed(tx: Tx, message: string, now: number): Promise<void> {
  const outcome = 'failure' as const;
  return recordEvent(tx, { type: 'backup.failed', subject: SUBJECT, outcome, details: { message }, now });
}

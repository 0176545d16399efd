/** First and last line of a backup. Between them, each table has a line that names it, and then its rows. */
import type { Reader } from '../../../database/database.ts';
import { readSetting } from '../../../database/settings.ts';
import { listTables, type Table } from '../../../database/tables.ts';
import { createKeyCheck, KEY_CHECK_SETTING } from '../../../lib/secrets/encryption.ts';

export const FORMAT = 'frontdesk-backup/1';

/** The file cannot be restored. The message is one line for the operator. */
export class BackupRejected extends Error {
  override readonly name = 'BackupRejected';
}

export interface Manifest {
  readonly format: typeof FORMAT;
  /** Random; the trailer repeats it. */
  readonly id: string;
  readonly release: string;
  /** Version of the last migration. */
  readonly schema: number;
  /** Versions of all migrations: a contract step may be missing before the last one. */
  readonly migrations: readonly number[];
  readonly engine: string;
  readonly created_at: string;
  /** Of SECRET_KEY; null if no service has used the database yet. */
  readonly key_fingerprint: string | null;
}

export interface Trailer {
  readonly id: string;
  /** Number of rows, and digest of their lines. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  /** The last event of the chain. */
  readonly head: { readonly number: number; readonly digest: string };
}

const FINGERPRINT_LENGTH = 16;

/** Returns the text that identifies SECRET_KEY in backups; the key cannot be computed from it. */
export function getKeyFingerprint(secretKey: string): string {
  return createKeyCheck(secretKey).slice(0, FINGERPRINT_LENGTH);
}

/** Returns that of the key with which the database was set up. */
export async function readKeyFingerprint(reader: Reader): Promise<string | null> {
  return (await readSetting(reader, KEY_CHECK_SETTING))?.slice(0, FINGERPRINT_LENGTH) ?? null;
}

const OMITTED_TABLES = new Set([
  // They describe the database itself.
  ...['schema_migrations', 'frontdesk_lock'],
  // They are computed from others.
  ...['user_texts', 'deleted_texts'],
  // Their rows have no use in a restored database: sign-ins in progress, and sessions that may have been closed since.
  // Without theirs, refresh tokens have ended: programs that have used them since would look like thieves.
  'refresh_tokens',
  ...['rate_limits', 'console_sessions', 'sign_in_challenges', 'upstream_requests', 'pending_identities'],
  'sign_in_codes',
  'passkey_challenges',
  'device_authorizations',
]);

/** Sessions of browsers, which may have ended since, and their codes. Backups of earlier releases contain them. */
export const SESSION_TABLES: readonly string[] = ['sign_in_sessions', 'authorization_codes'];

/** Returns the tables that a backup may contain, in its order. */
export async function listStoredTables(...parameters: Parameters<typeof listTables>): Promise<Table[]> {
  return (await listTables(...parameters)).filter(({ name }) => !OMITTED_TABLES.has(name));
}

/** Parses a line. @throws BackupRejected */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new BackupRejected('it has a line that is no JSON: the file is damaged');
  }
}

/** Parses the first line. @throws BackupRejected */
export function parseManifest(line: string): Manifest {
  if (!line.startsWith('{"format":')) throw new BackupRejected('it is no backup of Frontdesk');
  const manifest = parseLine(line) as Manifest;
  const { format, id, schema, migrations } = manifest;
  if (format !== FORMAT)
    throw new BackupRejected(`its format is ${JSON.stringify(format)}, this release reads ${FORMAT}`);
  const isValid = typeof id === 'string' && Number.isSafeInteger(schema) && Array.isArray(migrations);
  if (!isValid) throw new BackupRejected('its first line is damaged');
  return manifest;
}

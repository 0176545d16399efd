import type { Reader } from '../../database/database.ts';
import { prepareAll, prepareGet, prepareValue } from '../../database/prepare.ts';
import type { EventType } from '../events/event-types.ts';
import type { SearchedKeys } from '../users/records/search/queries.ts';

/** Returns the version of the last migration. */
export const readSchemaVersion = prepareValue<number>(
  'select max(version) as version from schema_migrations',
);

/** Returns the next users by id. */
export const readSearchedKeys = prepareAll<SearchedKeys, [after: string, limit: number]>(`
  select id, name_key as "nameKey", email_key as "emailKey" from users where id > $1 order by id limit $2`);

interface Sealed {
  /** The text that the bytes are bound to. */
  readonly id: string;
  readonly sealed: Uint8Array;
}

/** Reads what SECRET_KEY has encrypted, by the purpose of the derived key. */
export const SEALED: Readonly<Record<string, (reader: Reader) => Promise<Sealed[]>>> = {
  'signing-keys': prepareAll<Sealed>(
    'select id, private_key as sealed from signing_keys where signs_until is null',
  ),
  'webhook-secrets': prepareAll<Sealed>('select id, secret as sealed from webhook_endpoints'),
  'totp-secrets': prepareAll<Sealed>('select credential_id as id, secret as sealed from credential_totp'),
};

interface BackupEventRow {
  readonly type: EventType;
  readonly created_at: number;
  readonly data: string | null;
}

/** Returns the latest event of one type that no person has caused. */
export const findLatestOfSystem = prepareGet<BackupEventRow, [subject: string, type: EventType]>(`
  select type, created_at, data from events
  where subject = $1 and type = $2 and actor = 'system' order by created_at desc limit 1`);

/** Returns the latest events of one type that no person has caused, newest first. */
export const listLatestOfSystem = prepareAll<
  BackupEventRow,
  [subject: string, type: EventType, limit: number]
>(`
  select type, created_at, data from events
  where subject = $1 and type = $2 and actor = 'system' order by created_at desc limit $3`);

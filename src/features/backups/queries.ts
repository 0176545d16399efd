import { prepareAll, prepareRun } from '../../database/prepare.ts';
import type { EventType } from '../events/event-types.ts';
import type { SearchedKeys } from '../users/records/search-queries.ts';

/** Returns the migrations of the database in ascending order. */
export const listMigrations = prepareAll<{ version: number }>(
  'select version from schema_migrations order by version',
);

/** Events of the ledger: what takes access from somebody or deletes something, and what undoes it. */
export const LEDGER_TYPES = [
  ...['user.erased', 'user.disabled', 'user.enabled', 'user.updated', 'user.merged', 'totp.enabled'],
  ...['credential.revoked', 'credential.rotated', 'password.changed', 'password.reset', 'email.changed'],
  ...['identity.unlinked', 'identity_provider.deleted', 'application.deleted', 'application.secret_rotated'],
  ...['signing_key.rotated', 'webhook.deleted', 'webhook.secret_rotated', 'form.closed', 'form.deleted'],
] as const satisfies readonly EventType[];
export type LedgerType = (typeof LEDGER_TYPES)[number];

/** Returns events of one type with numbers after `low` and up to `high`. */
export const listEventsOfType = prepareAll<
  { number: number; created_at: number; type: LedgerType; subject: string; data: string },
  [type: LedgerType, low: number, high: number]
>(`
  select number, created_at, type, subject, data from events
  where type = $1 and number > $2 and number <= $3 order by number`);

/** Deletes the secrets of a credential: nobody can use it until it gets another one. Returns their number. */
export const deleteSecrets = prepareRun<[credentialId: string]>(
  'delete from credential_secrets where credential_id = $1',
);

/** Returns the next users by id. */
export const readSearchedKeys = prepareAll<SearchedKeys, [after: string, limit: number]>(`
  select id, name_key as "nameKey", email_key as "emailKey" from users where id > $1 order by id limit $2`);

/** Returns the latest events of one type that no person has caused, newest first, without those that a wrong clock has dated after `now`. */
export const listLatestOfSystem = prepareAll<
  { created_at: number; data: string | null },
  { subject: string; type: EventType; now: number; limit: number }
>(`
  select created_at, data from events
  where subject = $subject and type = $type and actor = 'system' and created_at <= $now
  order by created_at desc limit $limit`);

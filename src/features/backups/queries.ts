import { prepareAll } from '../../database/prepare.ts';
import type { EventType } from '../events/event-types.ts';
import type { SearchedKeys } from '../users/records/search/queries.ts';

/** Returns the migrations of the database in ascending order. */
export const listMigrations = prepareAll<{ version: number }>(
  'select version from schema_migrations order by version',
);

/** Returns the next users by id. */
export const readSearchedKeys = prepareAll<SearchedKeys, [after: string, limit: number]>(`
  select id, name_key as "nameKey", email_key as "emailKey" from users where id > $1 order by id limit $2`);

/** Returns the latest events of one type that no person has caused, newest first. */
export const listLatestOfSystem = prepareAll<
  { created_at: number; data: string | null },
  [subject: string, type: EventType, limit: number]
>(`
  select created_at, data from events
  where subject = $1 and type = $2 and actor = 'system' order by created_at desc limit $3`);

import type { Migration } from './migration.ts';

/** What an erasure has to find: events that a user has caused on other subjects; and what earlier ones have left. */
export const acts: Migration = {
  version: 31,
  name: 'acts of users',
  kind: 'expand',
  statements: () => [
    `create index events_personal_actor on events (actor_id, id)
      where actor = 'user' and (subject is null or subject <> 'user:' || actor_id)
        and (network is not null or device is not null)`,
    `delete from event_subjects where subject in (
      select subject from events where type in ('user.erased', 'webhook.deleted') and number is not null)`,
  ],
};

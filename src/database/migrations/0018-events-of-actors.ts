import type { Migration } from './migration.ts';

/**
 * Events by the id of a user who has caused them. Those of users leave the index by type of actor, where most events
 * were, so that an event needs as much room and as many writes as before.
 */
export const eventsOfActors: Migration = {
  version: 18,
  name: 'events of actors',
  statements: () => [
    'drop index events_actor',
    `create index events_actor on events (actor, number) where number is not null and actor <> 'user'`,
    'create index events_actor_id on events (actor_id, number) where number is not null and actor_id is not null',
  ],
};

import type { Migration } from './migration.ts';

/** Roles of users who administer the service; null for all others. */
export const roles: Migration = {
  version: 38,
  name: 'roles of users',
  kind: 'expand',
  statements: ({ key }) => [
    `alter table users add column role ${key}`,
    'create index users_role on users (role, id) where role is not null',
    // What an erasure takes from the acts of a person who was an administrator.
    `create index events_administrator_data on events (actor_id, id)
      where actor = 'administrator' and (network is not null or device is not null)`,
  ],
};

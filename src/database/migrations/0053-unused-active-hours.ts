import type { Migration } from './migration.ts';

/** Figures compare whole days: nothing reads counters of active users by the hour any more. */
export const unusedActiveHours: Migration = {
  version: 53,
  name: 'no hours of active users',
  kind: 'expand',
  statements: () => [
    "delete from counters where name in ('active_users:1', 'active_users:7', 'active_users:30')",
  ],
};

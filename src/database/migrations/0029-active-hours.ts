import type { Migration } from './migration.ts';

/** Counters of users by the hour in which they became active, instead of a table of minutes. */
export const activeHours: Migration = {
  version: 29,
  name: 'active hours',
  kind: 'contract',
  statements: () => [
    // Hour of the UTC day; null for rows of releases that did not record it.
    'alter table user_activity rename column minute to hour',
    'update user_activity set hour = hour / 60 where hour is not null',
    `insert into counters (name, period, slot, value)
      select 'active_users:' || absent_days, day * 24 + minute / 60, 0, sum(users) from active_minutes
      group by absent_days, day, minute / 60 having sum(users) <> 0`,
    'drop table active_minutes',
  ],
};

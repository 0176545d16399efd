import type { Migration } from './migration.ts';

/** When users became active within a day, so that days can be compared until the same time. */
export const activeMinutes: Migration = {
  version: 26,
  name: 'active minutes',
  statements: ({ integer, tableOptions }) => [
    // Minute of the UTC day; null for rows of earlier releases, whose minute is not known.
    `alter table user_activity add column minute ${integer}`,
    // Rows of user_activity by day and minute. A user who was active in none of the `absent_days` - 1 days before is
    // new in every period of at most so many days that ends on this day.
    `create table active_minutes (
      day ${integer} not null,
      minute ${integer} not null,
      absent_days ${integer} not null,
      users ${integer} not null,
      primary key (day, minute, absent_days)
    ) ${tableOptions}`,
  ],
};

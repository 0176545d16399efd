import type { Dialect } from '../../database.ts';

/** Figures of the dashboard. Those that would have to be counted are kept up to date by each write. */
export function createStatistics({ key, integer, tableOptions }: Dialect): string[] {
  return [
    `create table counters (
      name ${key} not null,
      period ${integer} not null,
      slot ${integer} not null,
      value ${integer} not null,
      primary key (name, period, slot)
    ) ${tableOptions}`,
    `create table failed_logins (
      minute ${integer} primary key,
      failures ${integer} not null
    ) ${tableOptions}`,
    // The previous day is the last earlier one on which the user was active; -1 if there is none.
    `create table user_activity (
      day ${integer} not null,
      user_id ${key} not null references users (id) on delete cascade,
      previous_day ${integer} not null default -1,
      minute ${integer},
      primary key (day, user_id)
    ) ${tableOptions}`,
    'create index user_activity_user on user_activity (user_id, day)',
    // Rows of user_activity by these two days.
    `create table active_users (
      day ${integer} not null,
      previous_day ${integer} not null,
      users ${integer} not null,
      primary key (day, previous_day)
    ) ${tableOptions}`,
    `create table active_minutes (
      day ${integer} not null,
      minute ${integer} not null,
      absent_days ${integer} not null,
      users ${integer} not null,
      primary key (day, minute, absent_days)
    ) ${tableOptions}`,
  ];
}

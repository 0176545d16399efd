import type { Migration } from './migration.ts';

/** Figures of the dashboard that are kept up to date instead of being counted. */
export const counters: Migration = {
  version: 6,
  name: 'counters',
  statements: ({ key, integer, tableOptions }) => [
    `create table counters (
      name ${key} not null,
      period ${integer} not null,
      slot ${integer} not null,
      value ${integer} not null,
      primary key (name, period, slot)
    ) ${tableOptions}`,
    fill("'users:' || state, 0", 'users group by state'),
    fill("'unclaimed_users', 0", "users where state = 'unclaimed' and owns_email = 0 having count(*) > 0"),
    fill("'sign_ups', created_at / 86400000", 'users group by created_at / 86400000'),
    fill("'tokens', expires_at / 3600000", 'tokens group by expires_at / 3600000'),
    // Copied, because that is faster than an update of each row. The first statement locks the table, so that nodes
    // of an older release write to the new one afterwards. The previous day is the last earlier one on which the user
    // was active; -1 if there is none.
    'alter table user_activity rename to user_activity_5',
    `create table user_activity (
      day ${integer} not null,
      user_id ${key} not null references users (id) on delete cascade,
      previous_day ${integer} not null default -1,
      primary key (day, user_id)
    ) ${tableOptions}`,
    `insert into user_activity (day, user_id, previous_day)
      select day, user_id, coalesce(lag(day) over (partition by user_id order by day), -1)
      from user_activity_5 order by day, user_id`,
    'drop table user_activity_5',
    'create index user_activity_user on user_activity (user_id, day)',
    // Rows of user_activity by these two days.
    `create table active_users (
      day ${integer} not null,
      previous_day ${integer} not null,
      users ${integer} not null,
      primary key (day, previous_day)
    ) ${tableOptions}`,
    `insert into active_users (day, previous_day, users)
      select day, previous_day, count(*) from user_activity group by day, previous_day`,
    // The row that transactions lock before they change user_activity.
    "insert into settings (name, value) values ('user_activity', 'lock')",
  ],
};

function fill(counter: string, source: string): string {
  return `insert into counters (name, period, slot, value) select ${counter}, 0, count(*) from ${source}`;
}

import type { Reader, Tx } from '../../../database/database.ts';
import {
  prepareAll,
  prepareExists,
  prepareForRows,
  prepareRun,
  prepareValue,
} from '../../../database/prepare.ts';
import { lockSetting } from '../../../database/settings.ts';

/** A day of a user's activity: without the user, because only their number is kept by these days. */
export interface ActiveDay {
  readonly day: number;
  /** The last earlier day on which the user was active; -1 if there is none. */
  readonly previous_day: number;
}

interface UserActivity extends ActiveDay {
  readonly user_id: string;
}

/** Locks `user_activity` and `active_users` for changes until the end of the transaction. */
export const lockActiveUsers = (tx: Tx): Promise<number> => lockSetting(tx, 'user_activity');

/**
 * Stores the activity of users on a day, and returns the rows that were not there yet. Selects from users, because a
 * user may have been deleted meanwhile; `cross join` is SQLite's order of tables.
 */
export const { all: insertActiveUsers } = prepareForRows<UserActivity, string, [day: number]>(
  { user_id: 'text' },
  `insert into user_activity (day, user_id, previous_day)
    select cast($1 as bigint), users.id, coalesce((
      select max(earlier.day) from user_activity as earlier
      where earlier.user_id = users.id and earlier.day < cast($1 as bigint)), -1)
    from given cross join users where users.id = given.user_id
    on conflict do nothing
    returning day, user_id, previous_day`,
  1,
);

/**
 * Returns whether any user was active after this day, which only happens when a clock was ahead. Ordered, because
 * PostgreSQL may read the whole table to find one of many rows, of which there are none.
 */
export const isAnyoneActiveAfter = prepareExists<[day: number]>(
  'select day from user_activity where day > $1 order by day limit 1',
);

/** Returns the rows of these users that come next after a day and have an earlier day as the previous one. */
export const { all: findNextDays } = prepareForRows<UserActivity, string, [day: number]>(
  { user_id: 'text' },
  `select later.user_id, later.day, later.previous_day
    from given cross join user_activity as later
    where later.user_id = given.user_id and later.previous_day < $1 and later.day = (
      select min(next.day) from user_activity as next
      where next.user_id = given.user_id and next.day > $1)`,
  1,
);

export const setPreviousDay = prepareRun<UserActivity>(
  'update user_activity set previous_day = $previous_day where day = $day and user_id = $user_id',
);

export interface ActiveDayChange extends ActiveDay {
  /** Users to add, or to subtract if negative. */
  readonly change: number;
}

/** Changes the numbers of users. Each pair of days occurs once. */
export const { run: changeActiveUsers } = prepareForRows<never, ActiveDayChange>(
  { day: 'bigint', previous_day: 'bigint', change: 'bigint' },
  `insert into active_users (day, previous_day, users)
    select day, previous_day, change from given where true
    on conflict (day, previous_day) do update set users = active_users.users + excluded.users`,
);

export const deleteActivityOfUser = prepareAll<UserActivity, [userId: string], Tx>(
  'delete from user_activity where user_id = $1 returning day, user_id, previous_day',
);

/** Deletes rows of days before `day`. */
export const deleteActivityBefore = prepareAll<UserActivity, [day: number, limit: number], Tx>(`
  delete from user_activity where (day, user_id) in (
    select day, user_id from user_activity where day < $1 order by day, user_id limit $2)
  returning day, user_id, previous_day`);

/** Deletes the numbers of days before `day` that are zero. */
export const deleteZeros = prepareRun<[day: number]>('delete from active_users where day < $1 and users = 0');

/**
 * Counts the distinct users that were active from `fromDay` to `toDay`, both included: each at the first of these
 * days, which is the one whose previous day is before `fromDay`.
 */
export const countActiveUsers = prepareValue<number, [fromDay: number, toDay: number]>(`
  select cast(coalesce(sum(users), 0) as bigint) as users from active_users
  where day >= $1 and day <= $2 and previous_day < $1`);

const countByDay = prepareAll<{ day: number; users: number }, [fromDay: number, toDay: number]>(`
  select day, cast(sum(users) as bigint) as users from active_users
  where day >= $1 and day <= $2 group by day`);

/** Counts the users of each day. Days without any may be missing. */
export async function countActiveUsersByDay(reader: Reader, fromDay: number, toDay: number) {
  const rows = await countByDay(reader, fromDay, toDay);
  return new Map(rows.map(({ day, users }) => [day, users]));
}

/** Returns the id of the last of the next 200 users after `after`; null when there are none. */
export const findLastUserOfBatch = prepareValue<string | null, [after: string]>(`
  select max(id) as id from (select id from users where id > $1 order by id limit 200) as batch`);

/**
 * Returns the rows of users with ids after `after`, up to `last`, whose previous day is wrong. That of a row whose
 * earlier rows were deleted for their age, before `oldestDay`, may remain.
 */
export const findWrongDays = prepareAll<
  UserActivity & { expected: number },
  [after: string, last: string, oldestDay: number]
>(`
  select user_id, day, previous_day, expected from (
    select user_id, day, previous_day,
      coalesce(lag(day) over (partition by user_id order by day), -1) as expected
    from user_activity where user_id > $1 and user_id <= $2) as compared
  where previous_day <> expected and (expected >= 0 or previous_day >= $3)`);

/**
 * Returns the days that have activity or numbers of users. Goes from day to day by the primary key, because
 * `select distinct` would read all rows.
 */
export const listDays = prepareAll<{ readonly day: number }>(`
  with recursive days (day) as (
    select min(day) from user_activity
    union all
    select (select min(later.day) from user_activity as later where later.day > days.day)
    from days where days.day is not null)
  select day from days where day is not null union select day from active_users order by day`);

/** Returns the differences between the numbers of users of a day and the rows that they count. */
export const findWrongCounts = prepareAll<ActiveDayChange, [day: number]>(`
  select day, previous_day, cast(sum(users) as bigint) as change from (
    select day, previous_day, count(*) as users from user_activity where day = $1 group by day, previous_day
    union all
    select day, previous_day, -users from active_users where day = $1) as compared
  group by day, previous_day having sum(users) <> 0`);

import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { inBatches, sqlForRows } from '../../../database/rows.ts';
import { lockSetting } from '../../../database/settings.ts';
import { DAY, dayNumber, HOUR } from '../../../lib/time/clock.ts';

/** A day of a user's activity: without the user, because only their number is kept by these days. */
export interface ActiveDay {
  readonly day: number;
  /** The last earlier day on which the user was active; -1 if there is none. */
  readonly previous_day: number;
}

/** A row of `user_activity`. */
export interface UserActivity extends ActiveDay {
  readonly user_id: string;
  /** Hour of the day in which the user became active; null if an earlier release has recorded it. */
  readonly hour: number | null;
}

/** Locks `user_activity` and `active_users` for changes until the end of the transaction. */
export function lockActiveUsers(tx: Tx): Promise<void> {
  return lockSetting(tx, 'user_activity');
}

/** Selects from users, because a user may have been deleted meanwhile; `cross join` is SQLite's order of tables. */
const INSERT = sqlForRows<UserActivity>(
  { columns: { user_id: 'text' }, singleValues: 2 },
  (given) => `
    with ${given}
    insert into user_activity (day, user_id, hour, previous_day)
    select cast($1 as bigint), users.id, cast($2 as bigint), coalesce((
      select max(earlier.day) from user_activity as earlier
      where earlier.user_id = users.id and earlier.day < cast($1 as bigint)), -1)
    from given cross join users where users.id = given.user_id
    on conflict do nothing
    returning day, user_id, hour, previous_day`,
);

/** Returns the rows that were not there yet, of at most 500 users. */
export function insertActiveUsers(tx: Tx, at: number, userIds: readonly string[]) {
  const day = dayNumber(at);
  const hour = Math.floor((at - day * DAY) / HOUR);
  const rows = userIds.map((id) => [id]);
  const { statement, values } = INSERT([day, hour], rows);
  return tx.all(statement, ...values);
}

/** Ordered, because PostgreSQL may read the whole table to find one of many rows, of which there are none. */
const ANY_LATER = sql<{ day: number }>('select day from user_activity where day > $1 order by day limit 1');

/** Returns whether any user was active after this day, which only happens when a clock was ahead. */
export async function isAnyoneActiveAfter(tx: Tx, day: number): Promise<boolean> {
  return (await tx.get(ANY_LATER, day)) !== undefined;
}

const NEXT_DAYS = sqlForRows<UserActivity>(
  { columns: { user_id: 'text' }, singleValues: 1 },
  (given) => `
    with ${given}
    select later.user_id, later.day, later.hour, later.previous_day
    from given cross join user_activity as later
    where later.user_id = given.user_id and later.previous_day < $1 and later.day = (
      select min(next.day) from user_activity as next
      where next.user_id = given.user_id and next.day > $1)`,
);

/** Returns the rows of these users that come next after `day` and have an earlier day as the previous one. */
export function findNextDays(tx: Tx, day: number, userIds: readonly string[]) {
  const rows = userIds.map((id) => [id]);
  const { statement, values } = NEXT_DAYS([day], rows);
  return tx.all(statement, ...values);
}

const SET_PREVIOUS = sql('update user_activity set previous_day = $3 where day = $1 and user_id = $2');

export async function setPreviousDay(
  tx: Tx,
  userId: string,
  { day, previous_day }: ActiveDay,
): Promise<void> {
  await tx.run(SET_PREVIOUS, day, userId, previous_day);
}

const CHANGE_COUNTS = sqlForRows(
  { columns: { day: 'bigint', previous_day: 'bigint', change: 'bigint' } },
  (given) => `
    with ${given}
    insert into active_users (day, previous_day, users)
    select day, previous_day, change from given where true
    on conflict (day, previous_day) do update set users = active_users.users + excluded.users`,
);

export interface ActiveDayChange extends ActiveDay {
  /** Users to add, or to subtract if negative. */
  readonly change: number;
}

/** Changes the numbers of users. Each pair of days occurs once. */
export async function changeActiveUsers(tx: Tx, changes: readonly ActiveDayChange[]): Promise<void> {
  for (const batch of inBatches(changes)) {
    const rows = batch.map(({ day, previous_day, change }) => [day, previous_day, change]);
    const { statement, values } = CHANGE_COUNTS([], rows);
    await tx.run(statement, ...values);
  }
}

const DELETE_OF_USER = sql<UserActivity>(
  'delete from user_activity where user_id = $1 returning day, user_id, hour, previous_day',
);

export function deleteActivityOfUser(tx: Tx, userId: string): Promise<UserActivity[]> {
  return tx.all(DELETE_OF_USER, userId);
}

const DELETE_OLD = sql<UserActivity>(`
  delete from user_activity where (day, user_id) in (
    select day, user_id from user_activity where day < $1 order by day, user_id limit $2)
  returning day, user_id, hour, previous_day`);

/** Deletes rows of days before `day`. */
export function deleteActivityBefore(tx: Tx, day: number, limit: number): Promise<UserActivity[]> {
  return tx.all(DELETE_OLD, day, limit);
}

const DELETE_ZEROS = sql('delete from active_users where day < $1 and users = 0');

/** Deletes the numbers of days before `day` that are zero. */
export async function deleteZeros(tx: Tx, day: number): Promise<void> {
  await tx.run(DELETE_ZEROS, day);
}

const COUNT = sql<{ users: number }>(`
  select cast(coalesce(sum(users), 0) as bigint) as users from active_users
  where day >= $1 and day <= $2 and previous_day < $1`);

/**
 * Counts the distinct users that were active from `fromDay` to `toDay`, both included: each at the first of these
 * days, which is the one whose previous day is before `fromDay`.
 */
export async function countActiveUsers(reader: Reader, fromDay: number, toDay: number): Promise<number> {
  return (await reader.get(COUNT, fromDay, toDay))!.users;
}

const COUNT_BY_DAY = sql<{ day: number; users: number }>(`
  select day, cast(sum(users) as bigint) as users from active_users
  where day >= $1 and day <= $2 group by day`);

/** Counts the users of each day. Days without any may be missing. */
export async function countActiveUsersByDay(reader: Reader, fromDay: number, toDay: number) {
  const rows = await reader.all(COUNT_BY_DAY, fromDay, toDay);
  return new Map(rows.map(({ day, users }) => [day, users]));
}

const LAST_OF_BATCH = sql<{ id: string | null }>(`
  select max(id) as id from (select id from users where id > $1 order by id limit 200) as batch`);

/** Returns the id of the last of the next 200 users after `after`, or undefined when there are none. */
export async function lastUserOfBatch(reader: Reader, after: string): Promise<string | undefined> {
  return (await reader.get(LAST_OF_BATCH, after))?.id ?? undefined;
}

/** The previous day of a row whose earlier rows were deleted for their age may remain. */
const WRONG_DAYS = sql<UserActivity & { expected: number }>(`
  select user_id, day, hour, previous_day, expected from (
    select user_id, day, hour, previous_day,
      coalesce(lag(day) over (partition by user_id order by day), -1) as expected
    from user_activity where user_id > $1 and user_id <= $2) as compared
  where previous_day <> expected and (expected >= 0 or previous_day >= $3)`);

export interface UserBatch {
  /** The ids of the users are greater than `after`, and at most `last`. */
  readonly after: string;
  readonly last: string;
  /** The oldest day whose activity is not deleted for its age. */
  readonly oldestDay: number;
}

/** Returns the rows whose previous day is wrong. */
export function findWrongDays(reader: Reader, { after, last, oldestDay }: UserBatch) {
  return reader.all(WRONG_DAYS, after, last, oldestDay);
}

/** Goes from day to day by the primary key, because `select distinct` would read all rows. */
const DAYS = sql<{ day: number }>(`
  with recursive days (day) as (
    select min(day) from user_activity
    union all
    select (select min(later.day) from user_activity as later where later.day > days.day)
    from days where days.day is not null)
  select day from days where day is not null union select day from active_users order by day`);

/** Returns the days that have activity or numbers of users. */
export async function listDays(reader: Reader): Promise<number[]> {
  return (await reader.all(DAYS)).map(({ day }) => day);
}

const WRONG_COUNTS = sql<ActiveDayChange>(`
  select day, previous_day, cast(sum(users) as bigint) as change from (
    select day, previous_day, count(*) as users from user_activity where day = $1 group by day, previous_day
    union all
    select day, previous_day, -users from active_users where day = $1) as compared
  group by day, previous_day having sum(users) <> 0`);

/** Returns the differences between the numbers of users of a day and the rows that they count. */
export function findWrongCounts(reader: Reader, day: number): Promise<ActiveDayChange[]> {
  return reader.all(WRONG_COUNTS, day);
}

import { type Reader, sql, type Tx } from '../../database/database.ts';

const TOUCH_TOKEN = sql(`
  update tokens set last_used_at = $2 where hash = $1 and (last_used_at is null or last_used_at < $2)`);

export async function touchToken(tx: Tx, hash: string, usedAt: number): Promise<void> {
  await tx.run(TOUCH_TOKEN, hash, usedAt);
}

/** Selects from users, because the user may have been deleted meanwhile. */
const RECORD_ACTIVE = sql(`
  insert into user_activity (day, user_id) select cast($1 as bigint), id from users where id = $2
  on conflict do nothing`);

export async function recordActiveUser(tx: Tx, day: number, userId: string): Promise<void> {
  await tx.run(RECORD_ACTIVE, day, userId);
}

const ADD_FAILED_LOGINS = sql(`
  insert into failed_logins (minute, failures) values ($1, $2)
  on conflict (minute) do update set failures = failed_logins.failures + excluded.failures`);

export async function addFailedLogins(tx: Tx, minute: number, failures: number): Promise<void> {
  await tx.run(ADD_FAILED_LOGINS, minute, failures);
}

const COUNT_FAILED_LOGINS = sql<{ failures: number | null }>(
  'select cast(sum(failures) as bigint) as failures from failed_logins where minute > $1',
);

/** Counts the failed logins of all minutes (since the epoch) after `sinceMinute`. */
export async function countFailedLogins(reader: Reader, sinceMinute: number): Promise<number> {
  return (await reader.get(COUNT_FAILED_LOGINS, sinceMinute))?.failures ?? 0;
}

const COUNT_ACTIVE = sql<{ users: number }>(
  'select count(distinct user_id) as users from user_activity where day >= $1 and day <= $2',
);

/** Counts the distinct users that were active from `fromDay` to `toDay`, both included. */
export async function countActiveUsers(reader: Reader, fromDay: number, toDay: number): Promise<number> {
  return (await reader.get(COUNT_ACTIVE, fromDay, toDay))?.users ?? 0;
}

const ACTIVE_BY_DAY = sql<{ day: number; users: number }>(
  'select day, count(*) as users from user_activity where day >= $1 and day <= $2 group by day',
);

export function countActiveUsersByDay(reader: Reader, fromDay: number, toDay: number) {
  return reader.all(ACTIVE_BY_DAY, fromDay, toDay);
}

const DELETE_OLD_ACTIVITY = sql(`
  delete from user_activity where (day, user_id) in (
    select day, user_id from user_activity where day < $1 order by day, user_id limit $2)`);

/** Deletes the activity of days before `day`. Returns the number of rows. */
export function deleteOldActivity(tx: Tx, day: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD_ACTIVITY, day, limit);
}

const DELETE_OLD_FAILURES = sql(`
  delete from failed_logins where minute in (
    select minute from failed_logins where minute < $1 order by minute limit $2)`);

/** Deletes the failed logins of minutes before `minute`. Returns the number of rows. */
export function deleteOldFailures(tx: Tx, minute: number, limit: number): Promise<number> {
  return tx.run(DELETE_OLD_FAILURES, minute, limit);
}

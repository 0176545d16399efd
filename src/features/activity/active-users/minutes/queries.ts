/** Numbers of users by the minute in which they became active: a day until a time, for any day that is kept. */
import { type Reader, sql, type Tx } from '../../../../database/database.ts';
import { inBatches, sqlForRows } from '../../../../database/rows.ts';
import type { ActiveDay } from '../queries.ts';

/** Lengths in days of the periods that are counted until a minute of their last day, the longest first. */
const PERIODS = [30, 7, 1] as const;
export type PeriodDays = (typeof PERIODS)[number];

/** Users who became active in a minute of a day. */
export interface ActiveMinute {
  readonly day: number;
  /** Number of the minute in its UTC day, from 0. */
  readonly minute: number;
  /** The longest of the periods that end on this day and have no earlier day on which the users were active. */
  readonly absent_days: PeriodDays;
}

/** Returns the longest period that ends on the day and in which the user was not active before. */
export function getAbsentDays({ day, previous_day }: ActiveDay): PeriodDays {
  return PERIODS.find((days) => previous_day <= day - days) ?? 1;
}

export interface ActiveMinuteChange extends ActiveMinute {
  /** Users to add, or to subtract if negative. */
  readonly change: number;
}

const CHANGE = sqlForRows(
  { columns: { day: 'bigint', minute: 'bigint', absent_days: 'bigint', change: 'bigint' } },
  (given) => `
    with ${given}
    insert into active_minutes (day, minute, absent_days, users)
    select day, minute, absent_days, change from given where true
    on conflict (day, minute, absent_days) do update set users = active_minutes.users + excluded.users`,
);

/** Changes the numbers of users. Each minute occurs once with the same absence. */
export async function changeActiveMinutes(tx: Tx, changes: readonly ActiveMinuteChange[]): Promise<void> {
  for (const batch of inBatches(changes)) {
    const rows = batch.map(({ day, minute, absent_days, change }) => [day, minute, absent_days, change]);
    const { statement, values } = CHANGE([], rows);
    await tx.run(statement, ...values);
  }
}

const DELETE_ZEROS = sql('delete from active_minutes where day < $1 and users = 0');

/** Deletes the numbers of days before `day` that are zero. */
export async function deleteZeroMinutes(tx: Tx, day: number): Promise<void> {
  await tx.run(DELETE_ZEROS, day);
}

const COUNT_UNTIL = sql<UsersUntilMinute>(`
  select cast(coalesce(sum(case when minute < $2 and absent_days >= $3 then users else 0 end), 0) as bigint) as users,
    cast(coalesce(sum(users), 0) as bigint) as of_day
  from active_minutes where day = $1`);

export interface UsersUntilMinute {
  /** Users who became active on the day before the minute, and on no earlier day of the period. */
  readonly users: number;
  /** All users of the day whose minute is known. */
  readonly of_day: number;
}

/** Counts the users that a day adds to the period of `days` that ends on it, before a minute of the day. */
export async function countUsersUntilMinute(
  reader: Reader,
  { day, minute, days }: { readonly day: number; readonly minute: number; readonly days: PeriodDays },
): Promise<UsersUntilMinute> {
  return (await reader.get(COUNT_UNTIL, day, minute, days))!;
}

const WRONG_MINUTES = sql<ActiveMinuteChange>(`
  select day, minute, absent_days, cast(sum(users) as bigint) as change from (
    select day, minute, case ${PERIODS.map((days) => `when previous_day <= day - ${days} then ${days}`).join(' ')}
      else 1 end as absent_days, 1 as users
    from user_activity where day = $1 and minute is not null
    union all
    select day, minute, absent_days, -users from active_minutes where day = $1) as compared
  group by day, minute, absent_days having sum(users) <> 0`);

/** Returns the differences between the numbers of users of a day and the rows that they count. */
export function findWrongMinutes(reader: Reader, day: number): Promise<ActiveMinuteChange[]> {
  return reader.all(WRONG_MINUTES, day);
}

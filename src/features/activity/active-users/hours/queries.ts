/** Counters of users by the hour in which they became active: a day until an hour, for any day that is kept. */
import { type CounterChange, deleteEmptyPeriods, readCounterPeriods } from '../../../../database/counters.ts';
import type { Reader, Tx } from '../../../../database/database.ts';
import { prepareAll } from '../../../../database/prepare.ts';
import type { ActiveDay } from '../queries.ts';

/** Lengths in days of the periods that are counted until an hour of their last day, the longest first. */
const PERIODS = [30, 7, 1] as const;
export type PeriodDays = (typeof PERIODS)[number];

/** Counter of the users for whom this is the longest period without activity before its last day. */
const nameCounter = (days: PeriodDays) => `active_users:${days}`;

/** Counts a row of `user_activity` (`change` 1), or removes a deleted one (-1). */
export function countActiveHour(
  tx: Tx,
  { day, previous_day, hour }: ActiveDay & { readonly hour: number | null },
  change: 1 | -1,
): void {
  const absent = PERIODS.find((days) => previous_day <= day - days) ?? 1;
  if (hour !== null) tx.count(nameCounter(absent), day * 24 + hour, change);
}

/** Deletes counters of days before `day` that are zero, of at most `limit` hours. */
export async function deleteZeroHours(tx: Tx, day: number, limit: number): Promise<void> {
  for (const days of PERIODS) await deleteEmptyPeriods(tx, nameCounter(days), { before: day * 24, limit });
}

/**
 * Counts the users that a day adds to the period of `days` that ends on it, before an hour of the day; `ofDay` is the
 * number of all users of the day whose hour is known.
 */
export async function countUsersUntilHour(
  reader: Reader,
  { day, hour, days }: { readonly day: number; readonly hour: number; readonly days: PeriodDays },
): Promise<{ users: number; ofDay: number }> {
  const from = day * 24;
  const counts = { users: 0, ofDay: 0 };
  for (const absent of PERIODS) {
    const name = nameCounter(absent);
    for (const [period, users] of await readCounterPeriods(reader, { name, from, to: from + 23 })) {
      counts.ofDay += users;
      if (absent >= days && period < from + hour) counts.users += users;
    }
  }
  return counts;
}

/** Returns the differences between the counters of a day and the rows that they count. */
export const findWrongHours = prepareAll<CounterChange, [day: number]>(`
  select name, period, cast(sum(value) as bigint) as change from (
    select case ${PERIODS.map((days) => `when previous_day <= day - ${days} then '${nameCounter(days)}'`).join(' ')}
      else '${nameCounter(1)}' end as name, day * 24 + hour as period, 1 as value
    from user_activity where day = $1 and hour is not null
    union all
    select name, period, -value from counters
    where name in (${PERIODS.map((days) => `'${nameCounter(days)}'`).join(', ')})
      and period >= cast($1 as bigint) * 24 and period < cast($1 as bigint) * 24 + 24) as compared
  group by name, period having sum(value) <> 0`);

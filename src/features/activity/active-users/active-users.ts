/**
 * Changes the activity of users by day, together with the numbers of users that the dashboard reads. One transaction
 * at a time does so, over all nodes.
 */
import type { Tx } from '../../../database/database.ts';
import { dayNumber } from '../../../lib/time/clock.ts';
import {
  type ActiveMinute,
  changeActiveMinutes,
  deleteZeroMinutes,
  getAbsentDays,
} from './minutes/queries.ts';
import {
  type ActiveDay,
  changeActiveUsers,
  deleteActivityBefore,
  deleteActivityOfUser,
  deleteZeros,
  findNextDays,
  insertActiveUsers,
  isAnyoneActiveAfter,
  lockActiveUsers,
  setPreviousDay,
} from './queries.ts';

/** Older activity is deleted. */
export const ACTIVITY_DAYS = 90;

/** Sums of the changes of a transaction. */
export class ActiveDayChanges {
  readonly #days = new Sums<ActiveDay>();
  readonly #minutes = new Sums<ActiveMinute>();

  add(row: ActiveDay & { readonly minute: number | null }, change: 1 | -1): void {
    const { day, previous_day, minute } = row;
    this.#days.add(`${day} ${previous_day}`, { day, previous_day }, change);
    if (minute === null) return;
    const counted = { day, minute, absent_days: getAbsentDays(row) };
    this.#minutes.add(Object.values(counted).join(' '), counted, change);
  }

  async write(tx: Tx): Promise<void> {
    await changeActiveUsers(tx, this.#days.list());
    await changeActiveMinutes(tx, this.#minutes.list());
  }
}

class Sums<T> {
  readonly #changes = new Map<string, T & { change: number }>();

  add(key: string, counted: T, change: number): void {
    const sum = this.#changes.get(key) ?? { ...counted, change: 0 };
    sum.change += change;
    this.#changes.set(key, sum);
  }

  list() {
    return [...this.#changes.values()].filter(({ change }) => change !== 0);
  }
}

/**
 * Records that at most 500 users were active at a time. Users who are unknown or recorded already on this day are
 * skipped.
 */
export async function recordActiveUsers(tx: Tx, at: number, userIds: readonly string[]): Promise<void> {
  const day = dayNumber(at);
  await lockActiveUsers(tx);
  const changes = new ActiveDayChanges();
  const added = await insertActiveUsers(tx, at, userIds);
  for (const row of added) changes.add(row, 1);
  if (added.length > 0 && (await isAnyoneActiveAfter(tx, day))) {
    // A clock was ahead and has recorded later days: this day comes between two that are known.
    const ids = added.map(({ user_id }) => user_id);
    for (const next of await findNextDays(tx, day, ids)) {
      changes.add(next, -1);
      const moved = { ...next, previous_day: day };
      await setPreviousDay(tx, next.user_id, moved);
      changes.add(moved, 1);
    }
  }
  await changes.write(tx);
}

/** Deletes the activity of a user. */
export async function forgetActivity(tx: Tx, userId: string): Promise<void> {
  await lockActiveUsers(tx);
  const changes = new ActiveDayChanges();
  for (const row of await deleteActivityOfUser(tx, userId)) changes.add(row, -1);
  await changes.write(tx);
}

/** Deletes the activity of days before `day`. Returns the number of rows. */
export async function deleteOldActivity(tx: Tx, day: number, limit: number): Promise<number> {
  await lockActiveUsers(tx);
  const changes = new ActiveDayChanges();
  const deleted = await deleteActivityBefore(tx, day, limit);
  for (const row of deleted) changes.add(row, -1);
  await changes.write(tx);
  await deleteZeros(tx, day);
  await deleteZeroMinutes(tx, day);
  return deleted.length;
}

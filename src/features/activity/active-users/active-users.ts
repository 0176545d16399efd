/**
 * Changes the activity of users by day, together with the numbers of users that the dashboard reads. One transaction
 * at a time does so, over all nodes.
 */
import type { Tx } from '../../../database/database.ts';
import { toDayNumber } from '../../../lib/time.ts';
import { countActiveHour, deleteZeroHours } from './hours/queries.ts';
import {
  type ActiveDay,
  type ActiveDayChange,
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

/** Counts the changes of a transaction. */
export class ActiveDayChanges {
  readonly #tx: Tx;
  readonly #days = new Map<string, ActiveDayChange>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  add(row: ActiveDay & { readonly hour: number | null }, change: 1 | -1): void {
    const { day, previous_day } = row;
    const key = `${day} ${previous_day}`;
    const before = this.#days.get(key)?.change ?? 0;
    this.#days.set(key, { day, previous_day, change: before + change });
    countActiveHour(this.#tx, row, change);
  }

  async write(): Promise<void> {
    await changeActiveUsers(
      this.#tx,
      [...this.#days.values()].filter(({ change }) => change !== 0),
    );
  }
}

/**
 * Records that at most 500 users were active at a time. Users who are unknown or recorded already on this day are
 * skipped.
 */
export async function recordActiveUsers(tx: Tx, at: number, userIds: readonly string[]): Promise<void> {
  const day = toDayNumber(at);
  await lockActiveUsers(tx);
  const changes = new ActiveDayChanges(tx);
  const added = await insertActiveUsers(tx, at, userIds);
  for (const row of added) changes.add(row, 1);
  if (added.length > 0 && (await isAnyoneActiveAfter(tx, day))) {
    // A clock was ahead and has recorded later days: this day comes between two that are known.
    const ids = added.map(({ user_id }) => user_id);
    for (const next of await findNextDays(tx, day, ids)) {
      changes.add(next, -1);
      const moved = { ...next, previous_day: day };
      await setPreviousDay(tx, moved);
      changes.add(moved, 1);
    }
  }
  await changes.write();
}

/** Deletes the activity of a user. */
export async function removeFromActivity(tx: Tx, userId: string): Promise<void> {
  await lockActiveUsers(tx);
  const changes = new ActiveDayChanges(tx);
  for (const row of await deleteActivityOfUser(tx, userId)) changes.add(row, -1);
  await changes.write();
}

/** Deletes the activity of days before `day`. Returns the number of rows. */
export async function deleteOldActivity(tx: Tx, day: number, limit: number): Promise<number> {
  await lockActiveUsers(tx);
  const changes = new ActiveDayChanges(tx);
  const deleted = await deleteActivityBefore(tx, day, limit);
  for (const row of deleted) changes.add(row, -1);
  await changes.write();
  await deleteZeros(tx, day);
  await deleteZeroHours(tx, day, limit);
  return deleted.length;
}

/**
 * Changes the activity of users by day, together with the numbers of users that the dashboard reads. One transaction
 * at a time does so, over all nodes.
 */
import type { Tx } from '../../../database/database.ts';
import { toDayNumber } from '../../../lib/time.ts';
import * as queries from './queries.ts';

/** Older activity is deleted. */
export const ACTIVITY_DAYS = 90;

export class ActiveDayChanges {
  readonly #days = new Map<string, queries.ActiveDayChange>();

  add({ day, previous_day }: queries.ActiveDay, change: 1 | -1): void {
    const key = `${day} ${previous_day}`;
    const before = this.#days.get(key)?.change ?? 0;
    this.#days.set(key, { day, previous_day, change: before + change });
  }

  async write(tx: Tx): Promise<void> {
    await queries.changeActiveUsers(
      tx,
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
  await queries.lockActiveUsers(tx);
  const changes = new ActiveDayChanges();
  const added = await queries.insertActiveUsers(tx, userIds, day);
  for (const row of added) changes.add(row, 1);
  if (added.length > 0 && (await queries.isAnyoneActiveAfter(tx, day))) {
    // A clock was ahead and has recorded later days: this day comes between two that are known.
    const ids = added.map(({ user_id }) => user_id);
    for (const next of await queries.findNextDays(tx, ids, day)) {
      changes.add(next, -1);
      const moved = { ...next, previous_day: day };
      await queries.setPreviousDay(tx, moved);
      changes.add(moved, 1);
    }
  }
  await changes.write(tx);
}

/** Deletes the activity of a user. */
export async function removeFromActivity(tx: Tx, userId: string): Promise<void> {
  await queries.lockActiveUsers(tx);
  const changes = new ActiveDayChanges();
  for (const row of await queries.deleteActivityOfUser(tx, userId)) changes.add(row, -1);
  await changes.write(tx);
}

/** Deletes the activity of days before `day`. Returns the number of rows. */
export async function deleteOldActivity(tx: Tx, day: number, limit: number): Promise<number> {
  await queries.lockActiveUsers(tx);
  const changes = new ActiveDayChanges();
  const deleted = await queries.deleteActivityBefore(tx, day, limit);
  for (const row of deleted) changes.add(row, -1);
  await changes.write(tx);
  await queries.deleteZeros(tx, day);
  return deleted.length;
}

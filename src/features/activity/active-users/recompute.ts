/**
 * Corrects the figures of active users. In many short transactions, because the whole takes long: on SQLite each
 * keeps others from writing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { type Clock, toDayNumber } from '../../../lib/time.ts';
import { ACTIVITY_DAYS, ActiveDayChanges } from './active-users.ts';
import {
  changeActiveUsers,
  findLastUserOfBatch,
  findWrongCounts,
  findWrongDays,
  listDays,
  lockActiveUsers,
  setPreviousDay,
} from './queries.ts';

/** Corrects the previous day of each row of `user_activity`. Returns the number of rows that were wrong. */
export async function recomputePreviousDays(database: Database, clock: Clock): Promise<number> {
  const oldestDay = toDayNumber(clock()) - ACTIVITY_DAYS;
  let corrected = 0;
  for (let after = ''; ; ) {
    const last = await findLastUserOfBatch(database, after);
    if (last === null) return corrected;
    const batch = [after, last, oldestDay] as const;
    // Read without the lock first: nearly always nothing is wrong.
    if ((await findWrongDays(database, ...batch)).length > 0) {
      corrected += await database.transaction(
        async (tx) => {
          await lockActiveUsers(tx);
          const changes = new ActiveDayChanges();
          const wrong = await findWrongDays(tx, ...batch);
          for (const row of wrong) {
            const corrected = { ...row, previous_day: row.expected };
            await setPreviousDay(tx, corrected);
            changes.add(row, -1);
            changes.add(corrected, 1);
          }
          await changes.write(tx);
          return wrong.length;
        },
        { isLong: true },
      );
    }
    after = last;
    await nextTurn();
  }
}

/** Corrects the numbers of users of each day. Returns how many were wrong. */
export async function recomputeActiveUsers(database: Database): Promise<number> {
  let corrected = 0;
  for (const { day } of await listDays(database)) {
    await nextTurn();
    if ((await findWrongCounts(database, day)).length === 0) continue;
    corrected += await database.transaction(
      async (tx) => {
        await lockActiveUsers(tx);
        const wrong = await findWrongCounts(tx, day);
        await changeActiveUsers(tx, wrong);
        return wrong.length;
      },
      { isLong: true },
    );
  }
  return corrected;
}

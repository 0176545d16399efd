/**
 * Corrects the figures of the dashboard, also while services run: those of active users in many short transactions,
 * because the whole takes long, and on SQLite each keeps others from writing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { type Clock, toDayNumber } from '../../../lib/time.ts';
import { ACTIVITY_DAYS, ActiveDayChanges } from '../active-users/active-users.ts';
import * as activeUsers from '../active-users/queries.ts';
import { DIFFERENCES } from '../queries.ts';

/** Returns the number of corrected figures by their kind. */
export async function recomputeStatistics(database: Database, clock: Clock) {
  const corrections: Record<string, number> = {};
  for (const name of Object.keys(DIFFERENCES)) {
    corrections[name] = await addDifferences(database, name);
    await nextTurn();
  }
  corrections['days of activity of users'] = await recomputePreviousDays(database, clock);
  corrections['active users by day'] = await recomputeActiveUsers(database);
  return corrections;
}

async function addDifferences(database: Database, name: string): Promise<number> {
  const statement = DIFFERENCES[name]!;
  // Read first, because on SQLite a transaction blocks all other writers.
  if (!database.isShared && (await database.all(statement)).length === 0) return 0;
  // Exclusively, because two at a time would find the same difference and add it twice.
  return database.exclusively(async (tx) => {
    const differences = await tx.all(statement);
    for (const { name, period, change } of differences) tx.count(name, period, change);
    return differences.length;
  });
}

/** Corrects the previous day of each row of `user_activity`. Returns the number of rows that were wrong. */
async function recomputePreviousDays(database: Database, clock: Clock): Promise<number> {
  const oldestDay = toDayNumber(clock()) - ACTIVITY_DAYS;
  let corrected = 0;
  for (let after = ''; ; ) {
    const last = await activeUsers.findLastUserOfBatch(database, after);
    if (last === null) return corrected;
    const batch = [after, last, oldestDay] as const;
    // Read without the lock first: nearly always nothing is wrong.
    if ((await activeUsers.findWrongDays(database, ...batch)).length > 0) {
      corrected += await database.transaction(
        async (tx) => {
          await activeUsers.lockActiveUsers(tx);
          const changes = new ActiveDayChanges();
          const wrong = await activeUsers.findWrongDays(tx, ...batch);
          for (const row of wrong) {
            const corrected = { ...row, previous_day: row.expected };
            await activeUsers.setPreviousDay(tx, corrected);
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
async function recomputeActiveUsers(database: Database): Promise<number> {
  let corrected = 0;
  for (const { day } of await activeUsers.listDays(database)) {
    await nextTurn();
    if ((await activeUsers.findWrongCounts(database, day)).length === 0) continue;
    corrected += await database.transaction(
      async (tx) => {
        await activeUsers.lockActiveUsers(tx);
        const wrong = await activeUsers.findWrongCounts(tx, day);
        await activeUsers.changeActiveUsers(tx, wrong);
        return wrong.length;
      },
      { isLong: true },
    );
  }
  return corrected;
}

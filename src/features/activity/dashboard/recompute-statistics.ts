/** Corrects the figures of the dashboard, also while services run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time.ts';
import { recomputeActiveUsers, recomputePreviousDays } from '../active-users/recompute.ts';
import { DIFFERENCES } from './queries.ts';

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

/** Corrects the figures of the dashboard, also while services run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Tx } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { recomputeActiveUsers, recomputePreviousDays } from '../activity/active-users/recompute.ts';
import { DIFFERENCES } from './queries.ts';

/** The number of corrected figures by their kind. */
export type Corrections = Readonly<Record<string, number>>;

export async function recomputeStatistics(database: Database, clock: Clock): Promise<Corrections> {
  const corrections: Record<string, number> = {};
  for (const name of Object.keys(DIFFERENCES)) {
    // Exclusively, because two at a time would find the same difference and add it twice.
    corrections[name] = await database.exclusively((tx) => addDifferences(tx, name));
    await nextTurn();
  }
  corrections['days of activity of users'] = await recomputePreviousDays(database, clock);
  corrections['active users by day'] = await recomputeActiveUsers(database);
  return corrections;
}

async function addDifferences(tx: Tx, name: string): Promise<number> {
  const differences = await tx.all(DIFFERENCES[name]!);
  for (const { name, period, change } of differences) tx.count(name, period, change);
  return differences.length;
}

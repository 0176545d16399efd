/** Corrects times of jobs that were set while the clock was ahead: they would wait until it has caught up. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { MINUTE } from '../../../lib/time.ts';
import { correctDelays, correctLeases, type JobQueue } from '../queries.ts';

/** The longest lease of any job. */
export const MAX_LEASE_MS = 5 * MINUTE;
const BATCH_SIZE = 500;

export interface Schedule {
  readonly queue: JobQueue;
  /** The longest delay between two attempts. */
  readonly maxRetryDelayMs: number;
}

/**
 * Makes jobs of a queue due whose next attempt is later than the longest delay. A lease that is too long ends as if it
 * began now, because the job may be running.
 */
export async function correctSchedule(
  database: Database,
  { queue, maxRetryDelayMs }: Schedule,
  now: number,
): Promise<void> {
  await database.transaction((tx) => correctLeases(tx, now + MAX_LEASE_MS), { isLong: true });
  const batch = { queue, now, latest: now + maxRetryDelayMs, limit: BATCH_SIZE };
  const correctNext = () => database.transaction((tx) => correctDelays(tx, batch), { isLong: true });
  while ((await correctNext()) >= BATCH_SIZE) await nextTurn();
}

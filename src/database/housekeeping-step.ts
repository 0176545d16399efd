/** Steps of the housekeeping: each feature lists its own, and startup/housekeeping.ts runs them. */
import { DAY } from '../lib/time.ts';
import type { Tx } from './database.ts';

/** Deletes at most `limit` rows that have expired at `now`, or updates as many, and returns their number. */
type RunBatch = (tx: Tx, now: number, limit: number) => Promise<number>;

/** The name is for the log. */
export type HousekeepingStep = readonly [name: string, runBatch: RunBatch, batchSize?: number];

/** Returns the step for rows of which `work` expects the time before which they have expired. */
export const olderThan =
  (days: number, work: RunBatch): RunBatch =>
  (tx, now, limit) =>
    work(tx, now - days * DAY, limit);

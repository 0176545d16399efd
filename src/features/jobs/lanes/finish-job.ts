/** Deletes jobs, and makes the next ones of their lanes due in the same transaction. */
import type { Tx } from '../../../database/database.ts';
import type { Job } from '../queries.ts';
import {
  deleteExpired,
  deleteLeasedJob,
  deleteWaitingJob,
  type Expiry,
  findNextOfLane,
  makeDue,
} from './queries.ts';
import { WAITING_FOR_LANE } from './waiting.ts';

/**
 * Deletes a job that is done or has failed for good. `job` is the row as it was before the lease. A job of a lane
 * stays if its lease has expired and another attempt has begun, which then finishes it.
 */
export async function finishJob(tx: Tx, job: Job, now: number): Promise<void> {
  const deleted = await deleteLeasedJob(tx, job);
  if (deleted !== undefined) await startNext(tx, deleted.lane, now);
}

/** Deletes a job without an attempt. Returns false when another node has begun one meanwhile, or the job is gone. */
export async function dropJob(tx: Tx, job: Job, now: number): Promise<boolean> {
  const deleted = await deleteWaitingJob(tx, job);
  if (deleted === undefined) return false;
  await startNext(tx, deleted.lane, now);
  return true;
}

/** Deletes jobs of a queue that are too old to be of use, at most `limit`; returns their ids. */
export async function deleteExpiredJobs(tx: Tx, expiry: Expiry): Promise<string[]> {
  const deleted = await deleteExpired(tx, expiry);
  for (const { lane, next_attempt_at } of deleted) {
    if (next_attempt_at < WAITING_FOR_LANE) await startNext(tx, lane, expiry.now);
  }
  return deleted.map(({ id }) => id);
}

async function startNext(tx: Tx, lane: string | null, now: number): Promise<void> {
  if (lane === null) return;
  // Again if the next one was deleted between the two statements.
  for (;;) {
    const next = await findNextOfLane(tx, lane);
    if (next === undefined || (await makeDue(tx, next, now))) return;
  }
}

/**
 * Queues deliveries to endpoints in the transaction of their cause. One job of a lane is due, being attempted, or
 * waiting for its next attempt; a unique index holds that. The others wait for it.
 */
import type { Tx } from '../../../database/database.ts';
import { inBatches } from '../../../database/rows.ts';
import { compareLanes, compareText } from './lane-order.ts';
import { insertDueJobs, insertWaitingJobs, lockFirstOfLane, type NewJob } from './queries.ts';

/** Queues one job; see `insertJobs`. */
export function insertJob(tx: Tx, job: NewJob): Promise<void> {
  return insertJobs(tx, [job]);
}

/**
 * Queues jobs. Those of one lane run in the order of their event numbers, after the one of the lane that is due or
 * runs already.
 */
export async function insertJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  // All transactions lock lanes in the same order, so that they do not deadlock.
  for (const batch of inBatches(jobs.toSorted(compareJobs))) await insertBatch(tx, batch);
}

async function insertBatch(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  const first = jobs.filter(({ lane }, index) => lane === null || lane !== jobs[index - 1]?.lane);
  const inserted = await insertDueJobs(tx, first);
  const others = jobs.filter(({ id }) => !inserted.has(id));
  const locked = new Set<string | null>();
  for (const lane of new Set(others.map((job) => job.lane))) {
    if (lane !== null && (await lockFirstOfLane(tx, lane))) locked.add(lane);
  }
  const waiting = others.filter(({ lane }) => locked.has(lane));
  if (waiting.length > 0) await insertWaitingJobs(tx, waiting);
  // The job that was first in the lane has ended between the two statements.
  const remaining = others.filter(({ lane }) => !locked.has(lane));
  if (remaining.length > 0) await insertBatch(tx, remaining);
}

function compareJobs(a: NewJob, b: NewJob): number {
  return compareLanes(a, b) || a.event_number - b.event_number || compareText(a.id, b.id);
}

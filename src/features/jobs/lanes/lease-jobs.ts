/** Leases jobs of different lanes in one transaction, and ends leases without an attempt. */
import type { Tx } from '../../../database/database.ts';
import { type Job, leaseJob, unleaseJob } from '../queries.ts';
import { sortByLane } from './lane-order.ts';

/** Begins attempts of jobs, except where another node was faster or the job is gone; returns the ids of the others. */
export async function leaseJobs(tx: Tx, jobs: readonly Job[], until: number): Promise<Set<string>> {
  const leased = new Set<string>();
  for (const job of sortByLane(jobs)) {
    if (await leaseJob(tx, job, until)) leased.add(job.id);
  }
  return leased;
}

/** Makes leased jobs due again that were not attempted. `jobs` are the rows as they were before the lease. */
export async function unleaseJobs(tx: Tx, jobs: readonly Job[], now: number): Promise<void> {
  for (const job of sortByLane(jobs)) await unleaseJob(tx, job, now);
}

/** Ends attempts that have failed, with the time of the next one. */
import type { Tx } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { type Job, releaseJob } from '../queries.ts';

/** Returns milliseconds until the next attempt. `random` is in [0, 1). */
export type RetryDelay = (failedAttempts: number, random: number) => number;

export interface PostponeDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly retryDelay: RetryDelay;
}

/** Releases a leased job until its next attempt. `job` is the row as it was before the lease. */
export function postponeJob(
  tx: Tx,
  { clock, random, retryDelay }: PostponeDeps,
  { job, lastError }: { readonly job: Job; readonly lastError: string },
): Promise<void> {
  const nextAttemptAt = clock() + retryDelay(job.attempts + 1, random());
  return releaseJob(tx, job, { nextAttemptAt, lastError });
}

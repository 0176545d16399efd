import type { Reader, Tx } from '../../database/database.ts';
import { prepareAll, prepareChange, prepareGet, prepareRun } from '../../database/prepare.ts';

/** One queue for each kind of work. */
export const JOB_QUEUES = ['mail', 'webhook'] as const;
export type JobQueue = (typeof JOB_QUEUES)[number];

/** A job as it was read before an attempt. */
export interface Job {
  readonly id: string;
  /** Number of attempts that have begun. */
  readonly attempts: number;
}

const lease = prepareChange<Job & { until: number }>(`
  update jobs set attempts = attempts + 1, next_attempt_at = $until, leased_until = $until
  where id = $id and attempts = $attempts`);

/**
 * Begins an attempt: until `until`, no other node begins one. Returns false when another node was faster, or the job
 * is gone.
 */
export const leaseJob = (tx: Tx, job: Job, until: number) => lease(tx, { ...job, until });

/** Unless the lease has expired and another attempt has begun. */
const release = prepareRun<Job & FailedAttempt>(`
  update jobs set next_attempt_at = $nextAttemptAt, leased_until = null, last_error = $lastError
  where id = $id and attempts = $attempts + 1`);

interface FailedAttempt {
  readonly nextAttemptAt: number;
  /** The reason in short, for the operator: without an address or a secret. */
  readonly lastError: string;
}

/** Ends an attempt that has failed. `job` is the row as it was before the lease. */
export const releaseJob = (tx: Tx, job: Job, attempt: FailedAttempt) => release(tx, { ...job, ...attempt });

/** Makes a job due that waits for its next attempt. One that runs now, or may have, stays as it is. */
export const attemptNow = prepareRun<[id: string, now: number]>(`
  update jobs set next_attempt_at = $2 where id = $1 and next_attempt_at > $2 and leased_until is null`);

/** Deletes a job that is done or has failed for good. */
export const finishJob = prepareRun<Job>('delete from jobs where id = $id');

/** Deletes a job without an attempt. Returns false when another node has begun one meanwhile, or the job is gone. */
export const dropJob = prepareChange<Job>('delete from jobs where id = $id and attempts = $attempts');

interface QueueSearch {
  readonly queue: JobQueue;
  readonly now: number;
  readonly limit: number;
}

/** Deletes jobs of a queue that have expired and do not run, at most `limit`; returns their ids. */
export const deleteExpiredJobs = prepareAll<{ readonly id: string }, QueueSearch, Tx>(`
  delete from jobs where id in (
    select id from jobs
    where queue = $queue and expires_at <= $now and (leased_until is null or leased_until <= $now)
    order by expires_at limit $limit)
  returning id`);

/** Releases the leases of all jobs: for a start at which no other process runs any. */
export const releaseAllJobs = prepareRun(
  'update jobs set next_attempt_at = 0, leased_until = null where leased_until > 0',
);

export interface JobCounts {
  readonly waiting: number;
  /** Jobs of which at least one attempt has failed. */
  readonly failed: number;
  /** Epoch milliseconds; null if no job waits. */
  readonly oldest: number | null;
}

const count = prepareGet<JobCounts, QueueSearch>(`
  select count(*) as waiting, min(created_at) as oldest,
         coalesce(sum(
           case when attempts > 0 and (leased_until is null or leased_until <= $now) then 1 else 0 end), 0) as failed
  from (
    select attempts, leased_until, created_at from jobs
    where queue = $queue and expires_at > $now order by expires_at limit $limit
  ) as earliest`);

/** Counts the jobs of a queue that wait, reading those `limit` at most that expire first. */
export async function countJobsUpTo(reader: Reader, search: QueueSearch): Promise<JobCounts> {
  return (await count(reader, search))!;
}

/** Shortens leases that end later than `latest` to that time, in all queues. */
export const correctLeases = prepareRun<[latest: number]>(`
  update jobs set next_attempt_at = $1, leased_until = $1 where leased_until > $1`);

const correctPriority = prepareRun<QueueSearch & { latest: number; priority: Priority }>(`
  update jobs set next_attempt_at = $now where id in (
    select id from jobs
    where queue = $queue and priority = $priority and next_attempt_at > $latest
    order by next_attempt_at limit $limit)`);

/** Makes jobs due whose next attempt is later than `latest`, which is not possible; returns the number, `limit` or less of a priority. */
export async function correctDelays(tx: Tx, search: QueueSearch & { readonly latest: number }) {
  let corrected = 0;
  for (const priority of PRIORITIES) corrected += await correctPriority(tx, { ...search, priority });
  return corrected;
}

/** A person waits for the result. */
export const URGENT = 0;
/** Nobody waits, but there are few at a time, such as notices and links that the administrator sends to single users. */
export const ORDINARY = 1;
/** Many at once, such as links that the administrator sends to many users. */
export const BULK = 2;

/** The most urgent first. */
export const PRIORITIES = [URGENT, ORDINARY, BULK] as const;
export type Priority = (typeof PRIORITIES)[number];

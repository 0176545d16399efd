import { type Reader, sql, type Tx } from '../../database/database.ts';
import { prepareChange, prepareRun } from '../../database/prepare.ts';

/** One queue for each kind of work. */
export type JobQueue = 'mail' | 'webhook';

/** A job as it was read before an attempt. */
export interface Job {
  readonly id: string;
  /** Number of attempts that have begun. */
  readonly attempts: number;
}

/**
 * Creates the function that finds jobs of a queue whose next attempt is due, the most urgent first, expired ones among
 * them, without those that a node runs now.
 */
export function createFindDue<Row extends Job>(queue: JobQueue, columns: readonly (keyof Row & string)[]) {
  // One priority at a time, so that the index has them in order.
  const statement = sql<Row>(`
    select ${columns.join(', ')} from jobs
    where queue = '${queue}' and priority = $1 and next_attempt_at <= $2 order by next_attempt_at, id limit $3`);
  return async (
    reader: Reader,
    { now, limit, priorities = PRIORITIES }: { now: number; limit: number; priorities?: readonly Priority[] },
  ): Promise<Row[]> => {
    const due: Row[] = [];
    for (const priority of priorities) {
      if (due.length < limit) due.push(...(await reader.all(statement, priority, now, limit - due.length)));
    }
    return due;
  };
}

const LEASE = sql(`
  update jobs set attempts = attempts + 1, next_attempt_at = $3, leased_until = $3
  where id = $1 and attempts = $2`);

/**
 * Begins an attempt: until `until`, no other node begins one. Returns false when another node was faster, or the job
 * is gone.
 */
export async function leaseJob(tx: Tx, { id, attempts }: Job, until: number): Promise<boolean> {
  return (await tx.run(LEASE, id, attempts, until)) === 1;
}

const RELEASE = sql(`
  update jobs set next_attempt_at = $3, leased_until = null, last_error = $4 where id = $1 and attempts = $2`);

export interface FailedAttempt {
  readonly nextAttemptAt: number;
  /** The reason in short, for the operator: without an address or a secret. */
  readonly lastError: string;
}

/** Ends an attempt that has failed. `job` is the row as it was before the lease. */
export async function releaseJob(tx: Tx, { id, attempts }: Job, attempt: FailedAttempt): Promise<void> {
  // Unless the lease has expired and another attempt has begun.
  await tx.run(RELEASE, id, attempts + 1, attempt.nextAttemptAt, attempt.lastError);
}

/** Makes a job due that waits for its next attempt. One that runs now, or may have, stays as it is. */
export const attemptNow = prepareRun<[id: string, now: number]>(`
  update jobs set next_attempt_at = $2 where id = $1 and next_attempt_at > $2 and leased_until is null`);

/** Deletes a job that is done or has failed for good. */
export const finishJob = prepareRun<Job>('delete from jobs where id = $id');

/** Deletes a job without an attempt. Returns false when another node has begun one meanwhile, or the job is gone. */
export const dropJob = prepareChange<Job>('delete from jobs where id = $id and attempts = $attempts');

export interface QueueSearch {
  readonly queue: JobQueue;
  readonly now: number;
  readonly limit: number;
}

const DELETE_EXPIRED = sql<{ id: string }>(`
  delete from jobs where id in (
    select id from jobs
    where queue = $1 and expires_at <= $2 and (leased_until is null or leased_until <= $2)
    order by expires_at limit $3)
  returning id`);

/** Deletes jobs of a queue that have expired and do not run, at most `limit`; returns their ids. */
export async function deleteExpiredJobs(tx: Tx, { queue, now, limit }: QueueSearch): Promise<string[]> {
  return (await tx.all(DELETE_EXPIRED, queue, now, limit)).map(({ id }) => id);
}

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

const COUNT_UP_TO = sql<JobCounts>(`
  select count(*) as waiting, min(created_at) as oldest,
         coalesce(sum(
           case when attempts > 0 and (leased_until is null or leased_until <= $2) then 1 else 0 end), 0) as failed
  from (
    select attempts, leased_until, created_at from jobs
    where queue = $1 and expires_at > $2 order by expires_at limit $3
  ) as earliest`);

/** Counts the jobs of a queue that wait, reading those `limit` at most that expire first. */
export async function countJobsUpTo(reader: Reader, { queue, now, limit }: QueueSearch): Promise<JobCounts> {
  return (await reader.get(COUNT_UP_TO, queue, now, limit))!;
}

/** Shortens leases that end later than `latest` to that time, in all queues. */
export const correctLeases = prepareRun<[latest: number]>(`
  update jobs set next_attempt_at = $1, leased_until = $1 where leased_until > $1`);

const CORRECT_DELAYS = sql(`
  update jobs set next_attempt_at = $1 where id in (
    select id from jobs
    where queue = $2 and priority = $3 and next_attempt_at > $4 order by next_attempt_at limit $5)`);

/** Makes jobs due whose next attempt is later than `latest`, which is not possible; returns the number, `limit` or less of a priority. */
export async function correctDelays(
  tx: Tx,
  { queue, now, limit }: QueueSearch,
  latest: number,
): Promise<number> {
  let corrected = 0;
  for (const priority of PRIORITIES)
    corrected += await tx.run(CORRECT_DELAYS, now, queue, priority, latest, limit);
  return corrected;
}

/** The order in which waiting jobs of a queue run. */

/** A person waits for the result. */
export const URGENT = 0;
/** Nobody waits, but there are few at a time, such as notices and links that the administrator sends to single users. */
export const ORDINARY = 1;
/** Many at once, such as links that the administrator sends to many users. */
export const BULK = 2;

/** The most urgent first. */
export const PRIORITIES = [URGENT, ORDINARY, BULK] as const;
export type Priority = (typeof PRIORITIES)[number];

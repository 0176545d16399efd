import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { sqlForRows } from '../../../database/rows.ts';
import type { Priority } from '../priority.ts';
import type { Job, JobQueue } from '../queries.ts';
import { WAITING_FOR_LANE } from './waiting.ts';

/** A delivery to an endpoint. Those of one lane run one after the other, in the order of their events. */
export interface NewJob {
  readonly id: string;
  /** Null for a job that waits for no other one. */
  readonly lane: string | null;
  readonly endpoint_id: string;
  readonly event_number: number;
  readonly priority: Priority;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly expires_at: number;
}

const COLUMNS = {
  id: 'text',
  lane: 'text',
  endpoint_id: 'text',
  event_number: 'bigint',
  priority: 'bigint',
  created_at: 'bigint',
  expires_at: 'bigint',
} as const;

const sqlToInsert = (given: string, nextAttemptAt: string | number) => `
  with ${given}
  insert into jobs
    (id, queue, lane, endpoint_id, event_number, priority, attempts, next_attempt_at, created_at, expires_at)
  select id, 'webhook', lane, endpoint_id, event_number, priority, 0, ${nextAttemptAt}, created_at, expires_at
  from given where true`;

/** With the condition of the unique index `jobs_lane_first`. */
const insertFirst = sqlForRows<{ id: string }>(
  { columns: COLUMNS },
  (given) => `${sqlToInsert(given, 'created_at')}
    on conflict (lane) where lane is not null and next_attempt_at < ${WAITING_FOR_LANE} do nothing
    returning id`,
);
const insertOthers = sqlForRows({ columns: COLUMNS }, (given) => sqlToInsert(given, WAITING_FOR_LANE));

const toRow = (job: NewJob) => (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((name) => job[name]);

/**
 * Inserts jobs that are due, except those whose lane has a job that does not wait; returns the ids of the inserted
 * ones. A concurrent transaction that ends or begins such a job is awaited.
 */
export async function insertDueJobs(tx: Tx, jobs: readonly NewJob[]): Promise<Set<string>> {
  const { statement, values } = insertFirst([], jobs.map(toRow));
  return new Set((await tx.all(statement, ...values)).map(({ id }) => id));
}

/** Inserts jobs that wait for the earlier ones of their lanes. */
export async function insertWaitingJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  const { statement, values } = insertOthers([], jobs.map(toRow));
  await tx.run(statement, ...values);
}

const LOCK_FIRST = sql(`
  update jobs set attempts = attempts where lane = $1 and next_attempt_at < ${WAITING_FOR_LANE}`);

/** Locks the job of a lane that does not wait, so that it cannot end. Returns false if there is none, or none now. */
export async function lockFirstOfLane(tx: Tx, lane: string): Promise<boolean> {
  return (await tx.run(LOCK_FIRST, lane)) === 1;
}

const NEXT = sql<{ id: string }>(`
  select id from jobs where lane = $1 and next_attempt_at = ${WAITING_FOR_LANE}
  order by event_number, id limit 1`);

/** Returns the id of the first of the waiting jobs of a lane. */
export async function findNextOfLane(reader: Reader, lane: string): Promise<string | undefined> {
  return (await reader.get(NEXT, lane))?.id;
}

const MAKE_DUE = sql('update jobs set next_attempt_at = $2 where id = $1');

/** Returns false if the job is gone. */
export async function makeDue(tx: Tx, id: string, now: number): Promise<boolean> {
  return (await tx.run(MAKE_DUE, id, now)) === 1;
}

const ATTEMPT_NOW = sql(`
  update jobs set next_attempt_at = $2
  where id = $1 and next_attempt_at > $2 and next_attempt_at < ${WAITING_FOR_LANE} and leased_until is null`);

/** Makes a job due that waits for its next attempt, and neither for its lane nor for the end of an attempt. */
export async function attemptNow(tx: Tx, id: string, now: number): Promise<void> {
  await tx.run(ATTEMPT_NOW, id, now);
}

/** A lane whose jobs follow each other must not go on before the attempt that runs now has ended. */
const FINISH = sql<{ lane: string | null }>(
  'delete from jobs where id = $1 and (lane is null or attempts = $2) returning lane',
);
const DROP = sql<{ lane: string | null }>('delete from jobs where id = $1 and attempts = $2 returning lane');

/** Deletes a leased job. `job` is the row as it was before the lease. Returns undefined if it was not deleted. */
export function deleteLeasedJob(tx: Tx, { id, attempts }: Job): Promise<{ lane: string | null } | undefined> {
  return tx.get(FINISH, id, attempts + 1);
}

/** Deletes a job that has no lease. Returns undefined when an attempt has begun meanwhile, or it is gone. */
export function deleteWaitingJob(
  tx: Tx,
  { id, attempts }: Job,
): Promise<{ lane: string | null } | undefined> {
  return tx.get(DROP, id, attempts);
}

export interface DeletedJob {
  readonly id: string;
  readonly lane: string | null;
  readonly next_attempt_at: number;
}

/** A running job of a lane keeps its row, because its deletion starts the next one. */
const DELETE_EXPIRED = sql<DeletedJob>(`
  delete from jobs where id in (
    select id from jobs
    where queue = $1 and expires_at <= $2 and (lane is null or leased_until is null or leased_until <= $2)
    order by expires_at limit $3)
  returning id, lane, next_attempt_at`);

export interface Expiry {
  readonly queue: JobQueue;
  readonly now: number;
  readonly limit: number;
}

/** Deletes jobs of a queue that have expired, at most `limit`. */
export function deleteExpired(tx: Tx, { queue, now, limit }: Expiry): Promise<DeletedJob[]> {
  return tx.all(DELETE_EXPIRED, queue, now, limit);
}

/** A job of the queue of webhooks, as it is read for an attempt. */
export interface WebhookJob extends Job {
  readonly endpoint_id: string;
  readonly event_number: number;
  readonly lane: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

const DUE_OF_ENDPOINT = sql<WebhookJob>(`
  select id, attempts, endpoint_id, event_number, lane, created_at, expires_at from jobs
  where endpoint_id = $1 and next_attempt_at <= $2 order by next_attempt_at, id limit $3`);

export interface EndpointSearch {
  readonly endpointId: string;
  readonly now: number;
  readonly limit: number;
}

/**
 * Returns jobs of one endpoint whose next attempt is due, expired ones among them, without those that a node runs now.
 * For each endpoint separately, so that one with many due jobs does not hide those of others.
 */
export function findDueOfEndpoint(
  reader: Reader,
  { endpointId, now, limit }: EndpointSearch,
): Promise<WebhookJob[]> {
  return reader.all(DUE_OF_ENDPOINT, endpointId, now, limit);
}

/** The interface between the worker and the kinds of jobs. */
import type { Tx } from '../../../database/database.ts';
import type { Job } from '../queries.ts';
import type { Schedule } from '../schedule/correct-schedule.ts';

export interface AttemptResult<Outcome> {
  /** What `storeOutcomes` gets; null if the attempt has stored everything, so that there is nothing left. */
  readonly outcome: Outcome | null;
  /** Whether the job has done its work: its outcome is stored later if it cannot be stored now. */
  readonly isDone: boolean;
  /** For this time, the node leases no more jobs of the queue. */
  readonly pauseMs?: number;
}

/** An attempt whose lease has begun. The signal is aborted when the process stops and does not wait any longer. */
export type JobAttempt<Outcome> = (stopping: AbortSignal) => Promise<AttemptResult<Outcome>>;

/** A job that this node has leased. */
export interface LeasedJob<Row, Outcome> {
  readonly job: Row;
  readonly run: JobAttempt<Outcome>;
}

/** Numbers of jobs of this node. */
export interface Load<Row> {
  readonly running: number;
  /** Jobs that are leased and wait for `mayRun`. */
  readonly waiting: readonly Row[];
}

/** What a worker has to know about the jobs of a queue. */
export interface JobKind<Row extends Job, Outcome> extends Schedule {
  /** The number of jobs that run at once. */
  readonly maxRunning: number;
  /** The number of jobs that are leased together. */
  readonly maxLeasedAtOnce: number;
  /** Returns jobs to be leased. Not more than may run in addition, or may wait for their turn. */
  findNext(load: Load<Row>): Promise<Row[]>;
  /** Leases jobs; returns those that are to be run by this node. @throws DatabaseUnavailable */
  lease(jobs: readonly Row[]): Promise<LeasedJob<Row, Outcome>[]>;
  /** Whether a leased job may run now. */
  mayRun(job: Row): boolean;
  /** Stores outcomes of attempts in one transaction, and deletes or releases the rows of the jobs. */
  storeOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void>;
  /** Is called once when the queue cannot be read, and again only after it could be. */
  onUnavailable(error: unknown): void;
  /** Is called when the outcome of an attempt could not be stored. */
  onNotStored(job: Row, error: unknown): void;
}

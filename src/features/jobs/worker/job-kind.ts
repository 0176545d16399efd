/** The interface between the worker and the kinds of jobs. */
import type { Tx } from '../../../database/database.ts';
import type { Job } from '../queries.ts';
import type { Schedule } from '../schedule/correct-schedule.ts';

export interface AttemptResult {
  /** Writes the outcome, and deletes or releases the row of the job. Runs again when the transaction has failed. */
  store(tx: Tx): Promise<void>;
  /** For this time, the node leases no more jobs of the queue. */
  readonly pauseMs?: number;
}

/** An attempt whose lease has begun. The signal is aborted when the process stops and does not wait any longer. */
export type JobAttempt = (stopping: AbortSignal) => Promise<AttemptResult>;

/** Interface of a kind of jobs to the worker. */
export interface JobKind<Row extends Job> extends Schedule {
  /** The number of jobs that run at once. */
  readonly maxRunning: number;
  /** Returns due jobs, not more than may run beside those that run on this node. */
  findNext(running: readonly Row[]): Promise<Row[]>;
  /** Leases a job. Returns null if it is not to be run: by this node, or at all. @throws DatabaseUnavailable */
  begin(job: Row): Promise<JobAttempt | null>;
  /** Is called once when the queue cannot be read, and again only after it could be. */
  onUnavailable(error: unknown): void;
  /** Is called when the outcome of an attempt could not be stored. */
  onNotStored(job: Row, error: unknown): void;
}

/** The interface between the worker and the kinds of jobs. */
import type { Tx } from '../../../database/database.ts';
import type { Job } from '../queries.ts';
import type { Schedule } from '../schedule/correct-schedule.ts';

export type StoreOutcome = (tx: Tx) => Promise<void>;

export interface JobOutcome {
  /** The job has done its work, so its row is deleted. Otherwise the attempt has set what follows. */
  readonly isDone: boolean;
  /** Stores the outcome in the transaction that deletes the row of a job that is done. */
  readonly store?: StoreOutcome;
  /** For this time, the node begins no more jobs of the queue. */
  readonly pauseMs?: number;
}

/** An attempt whose lease has begun. The signal is aborted when the process stops and does not wait any longer. */
export type JobAttempt = (stopping: AbortSignal) => Promise<JobOutcome>;

/** What a worker has to know about the jobs of a queue. */
export interface JobKind<Row extends Job> extends Schedule {
  /** The number of jobs that run at once. */
  readonly maxRunning: number;
  /** Returns jobs to be begun while `running` others run: not more than may run in addition. */
  findNext(running: number): Promise<Row[]>;
  /** Leases a job. Returns null when it is not to be run: by this node, or at all. @throws DatabaseUnavailable */
  begin(job: Row): Promise<JobAttempt | null>;
  /** Is called once when the queue cannot be read, and again only after it could be. */
  onUnavailable(error: unknown): void;
  /** Is called when the outcome of an attempt could not be stored. A row of a job that is done is deleted later. */
  onNotStored(job: Row, error: unknown): void;
}

/**
 * Runs the jobs of a queue: a few at a time, each leased first, so that several nodes share the work. The queue is
 * read every second, which costs a few indexed reads and finds jobs that other nodes have queued as well.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runAsSystem } from '../../callers/action-context.ts';
import type { Database, DatabaseDeps, Tx } from '../../database/database.ts';
import { coalesce } from '../../lib/queues/shared-work.ts';
import { MINUTE, type MonotonicClock } from '../../lib/time.ts';
import { correctDelays, correctLeases, type Job, type JobQueue } from './queries.ts';

/** The interval at which a queue is read. */
export const POLL_MS = 1_000;
const CORRECTION_INTERVAL_MS = MINUTE;
/** After that time, a stopping node aborts its running jobs. */
const STOP_DEADLINE_MS = 5_000;

export const ATTEMPT_OUTCOMES = ['succeeded', 'failed', 'rejected'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface AttemptResult {
  /** For the metrics; undefined if the attempt does not count. */
  readonly outcome?: AttemptOutcome;
  /** Writes the outcome, and deletes or releases the row of the job. Runs again when the transaction has failed. */
  store(tx: Tx): Promise<unknown>;
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

export interface JobWorkerDeps extends DatabaseDeps {
  readonly monotonicClock: MonotonicClock;
  /** Called with the outcome of each attempt. */
  readonly onAttempt?: ((queue: JobQueue, outcome: AttemptOutcome) => void) | undefined;
  /** Replacement for tests. */
  readonly stopDeadlineMs?: number;
  /** Replacement for tests, in which no attempt begins by itself. */
  readonly pollMs?: number;
}

export class JobWorker<Row extends Job> {
  readonly #deps: JobWorkerDeps;
  readonly #kind: JobKind<Row>;
  readonly #poll: NodeJS.Timeout;
  readonly #running = new Map<Row, Promise<void>>();
  /** Outcomes that could not be stored, by the id of the job. */
  readonly #unstored = new Map<string, () => Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #beginJobs = coalesce(() => runAsSystem(() => this.#fill()));
  #isClosed = false;
  #isQueueReadable = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #correctedAt = Number.NEGATIVE_INFINITY;

  /** Starts to run jobs as they become due. */
  constructor(deps: JobWorkerDeps, kind: JobKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
    this.#poll = setInterval(() => this.wake(), deps.pollMs ?? POLL_MS).unref();
  }

  /** Begins jobs that are due now, without waiting until the queue is read the next time. */
  wake(): void {
    void this.#beginJobs();
  }

  /** Runs all jobs that are due now. Resolves when each has ended. */
  async runDue(): Promise<void> {
    await this.#beginJobs();
    while (this.#running.size > 0) {
      await Promise.race(this.#running.values());
      await this.#beginJobs();
    }
  }

  /** Finishes the running jobs, within a few seconds. */
  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#isClosed = true;
    await this.#beginJobs();
    const { stopDeadlineMs = STOP_DEADLINE_MS } = this.#deps;
    const deadline = setTimeout(() => this.#stopping.abort(), stopDeadlineMs);
    await Promise.all(this.#running.values());
    clearTimeout(deadline);
    await this.#storeOutcomes();
  }

  async #fill(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#storeOutcomes();
      await this.#correctSchedule();
      await this.#beginDue();
      this.#isQueueReadable = true;
    } catch (error) {
      if (this.#isQueueReadable) this.#kind.onUnavailable(error);
      this.#isQueueReadable = false;
    }
  }

  async #beginDue(): Promise<void> {
    while (this.#mayBegin()) {
      const due = await this.#kind.findNext([...this.#running.keys()]);
      if (due.length === 0) return;
      for (const job of due) {
        if (!this.#mayBegin()) return;
        const attempt = await this.#kind.begin(job);
        if (attempt !== null) this.#run(job, attempt);
        // Yields to requests: transactions on SQLite are synchronous and would block the event loop.
        await nextTurn();
      }
    }
  }

  #mayBegin(): boolean {
    const isPaused = this.#deps.monotonicClock() < this.#pausedUntil;
    return !this.#isClosed && !isPaused && this.#running.size < this.#kind.maxRunning;
  }

  #run(job: Row, attempt: JobAttempt): void {
    const ended = attempt(this.#stopping.signal)
      .then(({ store, pauseMs, outcome }) => {
        if (outcome !== undefined) this.#deps.onAttempt?.(this.#kind.queue, outcome);
        if (pauseMs !== undefined) this.#pausedUntil = this.#deps.monotonicClock() + pauseMs;
        return this.#storeOutcome(job, store);
      })
      // The job is run again after its lease.
      .catch((error) => this.#kind.onNotStored(job, error))
      .then(() => {
        this.#running.delete(job);
        this.wake();
      });
    this.#running.set(job, ended);
  }

  /** An outcome that cannot be stored is kept, so that a job which is done is not run again after its lease. */
  async #storeOutcome(job: Row, store: AttemptResult['store']): Promise<void> {
    try {
      await this.#deps.database.transaction(store);
      this.#unstored.delete(job.id);
    } catch (error) {
      if (!this.#unstored.has(job.id)) this.#kind.onNotStored(job, error);
      this.#unstored.set(job.id, () => this.#storeOutcome(job, store));
    }
  }

  async #storeOutcomes(): Promise<void> {
    for (const storeAgain of [...this.#unstored.values()]) await storeAgain();
  }

  async #correctSchedule(): Promise<void> {
    const { database, clock, monotonicClock } = this.#deps;
    if (monotonicClock() < this.#correctedAt + CORRECTION_INTERVAL_MS) return;
    await correctSchedule(database, this.#kind, clock());
    this.#correctedAt = monotonicClock();
  }
}

/** The longest lease of any job. */
export const MAX_LEASE_MS = 5 * MINUTE;
const BATCH_SIZE = 500;

export interface Schedule {
  readonly queue: JobQueue;
  /** The longest delay between two attempts. */
  readonly maxRetryDelayMs: number;
}

/**
 * Makes jobs of a queue due whose next attempt is later than the longest delay: it was set while the clock was ahead. A lease that is too long ends as if it
 * began now, because the job may be running.
 */
async function correctSchedule(database: Database, { queue, maxRetryDelayMs }: Schedule, now: number) {
  await database.transaction((tx) => correctLeases(tx, now + MAX_LEASE_MS), { isLong: true });
  const batch = { queue, now, latest: now + maxRetryDelayMs, limit: BATCH_SIZE };
  const correctNext = () => database.transaction((tx) => correctDelays(tx, batch), { isLong: true });
  while ((await correctNext()) >= BATCH_SIZE) await nextTurn();
}

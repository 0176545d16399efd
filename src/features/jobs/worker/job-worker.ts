/**
 * Runs the jobs of a queue: a few at a time, each leased first, so that several nodes share the work. The queue is
 * read every second, which costs a few indexed reads and finds jobs that other nodes have queued as well.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { type Clock, MINUTE, type MonotonicClock } from '../../../lib/time/clock.ts';
import { finishJob } from '../lanes/finish-job.ts';
import type { Job } from '../queries.ts';
import { correctSchedule } from '../schedule/correct-schedule.ts';
import type { JobAttempt, JobKind, StoreOutcome } from './job-kind.ts';
import { POLL_MS } from './watch-queue.ts';

const CORRECTION_INTERVAL_MS = MINUTE;
/** After that time, a stopping node aborts what it runs. */
const STOP_DEADLINE_MS = 5_000;

export interface JobWorkerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
}

export class JobWorker<Row extends Job> {
  readonly #deps: JobWorkerDeps;
  readonly #kind: JobKind<Row>;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  /** Jobs that are done, and whose rows could not be deleted yet. */
  readonly #done = new Map<Row, StoreOutcome | undefined>();
  readonly #stopping = new AbortController();
  #isClosed = false;
  #isQueueReadable = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #correctedAt = Number.NEGATIVE_INFINITY;
  #filling: Promise<void> | null = null;

  /** Starts to run jobs as they become due. */
  constructor(deps: JobWorkerDeps, kind: JobKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
    this.#timer = setInterval(() => this.#fill(), POLL_MS).unref();
  }

  /** Runs all jobs that are due now. Resolves when each is done or has failed. */
  async runDue(): Promise<void> {
    await this.#fill();
    while (this.#running.size > 0) {
      await Promise.race(this.#running);
      await this.#fill();
    }
  }

  /** Begins jobs that are due now, without waiting until the queue is read the next time. */
  wake(): void {
    // A read in progress may have been too early to find them.
    if (this.#filling === null) void this.#fill();
    else void this.#filling.then(() => this.#fill());
  }

  /** Finishes what runs, within a few seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.#filling;
    const deadline = setTimeout(() => this.#stopping.abort(), STOP_DEADLINE_MS);
    await Promise.all(this.#running);
    clearTimeout(deadline);
  }

  /** Begins due jobs, until the queue has none or enough run. Never rejects. */
  #fill(): Promise<void> {
    this.#filling ??= this.#fillOnce()
      .then(() => {
        this.#isQueueReadable = true;
      })
      .catch((error) => {
        if (this.#isQueueReadable) this.#kind.onUnavailable(error);
        this.#isQueueReadable = false;
      })
      .finally(() => {
        this.#filling = null;
      });
    return this.#filling;
  }

  async #fillOnce(): Promise<void> {
    await this.#deleteDone();
    await this.#correctSchedule();
    while (this.#canBegin()) {
      const due = await this.#kind.findNext(this.#running.size);
      if (due.length === 0) return;
      for (const job of due) await this.#begin(job);
      // Yields to requests: transactions on SQLite are synchronous and would block the event loop.
      await nextTurn();
    }
  }

  async #correctSchedule(): Promise<void> {
    const { database, clock, monotonicClock } = this.#deps;
    if (monotonicClock() < this.#correctedAt + CORRECTION_INTERVAL_MS) return;
    await correctSchedule(database, this.#kind, clock());
    this.#correctedAt = monotonicClock();
  }

  #canBegin(): boolean {
    const isPaused = this.#deps.monotonicClock() < this.#pausedUntil;
    return !this.#isClosed && !isPaused && this.#running.size < this.#kind.maxRunning;
  }

  async #begin(job: Row): Promise<void> {
    const attempt = await this.#kind.begin(job);
    if (attempt === null) return;
    const task = this.#run(job, attempt).then(() => {
      this.#running.delete(task);
      void this.#fill();
    });
    this.#running.add(task);
  }

  async #run(job: Row, attempt: JobAttempt): Promise<void> {
    try {
      const { isDone, store, pauseMs } = await attempt(this.#stopping.signal);
      if (isDone) this.#done.set(job, store);
      if (pauseMs !== undefined) this.#pausedUntil = this.#deps.monotonicClock() + pauseMs;
      await this.#deleteDone();
    } catch (error) {
      // The row of a job that is done is deleted later; any other job is run again after its lease.
      this.#kind.onNotStored(job, error);
    }
  }

  async #deleteDone(): Promise<void> {
    const { database, clock } = this.#deps;
    for (const [job, store] of this.#done) {
      await database.transaction(async (tx) => {
        await store?.(tx);
        await finishJob(tx, job, clock());
      });
      this.#done.delete(job);
    }
  }
}

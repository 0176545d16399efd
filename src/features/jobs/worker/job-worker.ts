/**
 * Runs the jobs of a queue: a few at a time, each leased first, so that several nodes share the work. The queue is
 * read every second, which costs a few indexed reads and finds jobs that other nodes have queued as well. A kind may
 * lease more jobs than run: they begin as soon as others end, and outcomes can then be stored a moment later, several
 * in one transaction.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import { type Clock, MINUTE, type MonotonicClock } from '../../../lib/time/clock.ts';
import { unleaseJobs } from '../lanes/lease-jobs.ts';
import type { Job } from '../queries.ts';
import { correctSchedule } from '../schedule/correct-schedule.ts';
import type { JobKind, LeasedJob } from './job-kind.ts';
import { OutcomeStore } from './outcome-store.ts';
import { POLL_MS } from './watch-queue.ts';

const CORRECTION_INTERVAL_MS = MINUTE;
/** After that time, a stopping node aborts what it runs. */
const STOP_DEADLINE_MS = 5_000;
/** Outcomes wait so long for others while leased jobs wait to be run. */
const GROUP_MS = 5;
/** A leased job that waits longer is released, because what was read with it may have changed. */
const MAX_WAIT_MS = 1_000;

export interface JobWorkerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
}

interface WaitingJob<Row, Outcome> extends LeasedJob<Row, Outcome> {
  readonly leasedAt: number;
}

export class JobWorker<Row extends Job, Outcome> {
  readonly #deps: JobWorkerDeps;
  readonly #kind: JobKind<Row, Outcome>;
  readonly #outcomes: OutcomeStore<Row, Outcome>;
  readonly #poll: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #waiting: WaitingJob<Row, Outcome>[] = [];
  #isClosed = false;
  #isQueueReadable = true;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #correctedAt = Number.NEGATIVE_INFINITY;
  #filling: Promise<void> = Promise.resolve();
  #isFillQueued = false;
  #groupTimer: NodeJS.Timeout | null = null;
  #nextFill: NodeJS.Immediate | null = null;

  /** Starts to run jobs as they become due. */
  constructor(deps: JobWorkerDeps, kind: JobKind<Row, Outcome>) {
    this.#deps = deps;
    this.#kind = kind;
    this.#outcomes = new OutcomeStore(deps.database, kind);
    this.#poll = setInterval(() => this.#fill(), POLL_MS).unref();
  }

  /** Runs all jobs that are due now. Resolves when the outcome of each is stored. */
  async runDue(): Promise<void> {
    await this.#fill();
    while (this.#running.size > 0 || this.#outcomes.hasNew) {
      if (!this.#outcomes.hasNew) await Promise.race(this.#running);
      await this.#fill();
    }
  }

  /** Begins jobs that are due now, without waiting until the queue is read the next time. */
  wake(): void {
    void this.#fill();
  }

  /** Finishes what runs, within a few seconds. */
  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#isClosed = true;
    await this.#fill();
    const deadline = setTimeout(() => this.#stopping.abort(), STOP_DEADLINE_MS);
    await Promise.all(this.#running);
    clearTimeout(deadline);
    await this.#fill();
    this.#cancelNextFill();
  }

  /**
   * Stores outcomes and begins due jobs, until the queue has none or enough run. Calls that come while one waits share
   * it: it reads after all of them. Never rejects.
   */
  #fill(): Promise<void> {
    if (this.#isFillQueued) return this.#filling;
    this.#isFillQueued = true;
    this.#filling = this.#filling
      .then(() => {
        this.#isFillQueued = false;
        this.#cancelNextFill();
        return this.#fillOnce();
      })
      .then(() => {
        this.#isQueueReadable = true;
      })
      .catch((error) => {
        if (this.#isQueueReadable) this.#kind.onUnavailable(error);
        this.#isQueueReadable = false;
      });
    return this.#filling;
  }

  async #fillOnce(): Promise<void> {
    await this.#storeOutcomes();
    await this.#releaseWaiting();
    if (this.#isClosed) return;
    await this.#correctSchedule();
    while (this.#mayLease()) {
      const due = await this.#kind.findNext({
        running: this.#running.size,
        waiting: this.#waiting.map(({ job }) => job),
      });
      if (due.length === 0) return;
      await this.#lease(due);
      // Yields to requests: transactions on SQLite are synchronous and would block the event loop.
      await nextTurn();
      await this.#storeOutcomes();
    }
  }

  async #storeOutcomes(): Promise<void> {
    if (this.#outcomes.isEmpty) return;
    await this.#outcomes.store();
    await nextTurn();
  }

  async #correctSchedule(): Promise<void> {
    const { database, clock, monotonicClock } = this.#deps;
    if (monotonicClock() < this.#correctedAt + CORRECTION_INTERVAL_MS) return;
    await correctSchedule(database, this.#kind, clock());
    this.#correctedAt = monotonicClock();
  }

  #mayLease(): boolean {
    const isPaused = this.#deps.monotonicClock() < this.#pausedUntil;
    return !this.#isClosed && !isPaused && this.#running.size < this.#kind.maxRunning;
  }

  async #lease(due: readonly Row[]): Promise<void> {
    const { maxLeasedAtOnce } = this.#kind;
    for (let start = 0; start < due.length; start += maxLeasedAtOnce) {
      const leasedAt = this.#deps.monotonicClock();
      const leased = await this.#kind.lease(due.slice(start, start + maxLeasedAtOnce));
      this.#waiting.push(...leased.map((each) => ({ ...each, leasedAt })));
      this.#runWaiting();
    }
  }

  /** Releases jobs that have waited for too long, and all that wait when the node stops. */
  async #releaseWaiting(): Promise<void> {
    const { database, clock, monotonicClock } = this.#deps;
    const oldest = this.#isClosed ? Number.POSITIVE_INFINITY : monotonicClock() - MAX_WAIT_MS;
    const [released, kept] = [
      this.#waiting.filter(({ leasedAt }) => leasedAt < oldest),
      this.#waiting.filter(({ leasedAt }) => leasedAt >= oldest),
    ];
    if (released.length === 0) return;
    // Before, because some could begin while the transaction runs.
    this.#waiting = kept;
    await database.transaction((tx) =>
      unleaseJobs(
        tx,
        released.map(({ job }) => job),
        clock(),
      ),
    );
  }

  /** Runs the waiting jobs that may run now. Returns whether there was one. */
  #runWaiting(): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((each) => {
      if (this.#isClosed || this.#running.size >= this.#kind.maxRunning || !this.#kind.mayRun(each.job))
        return true;
      this.#run(each);
      return false;
    });
    return this.#waiting.length < before;
  }

  #run({ job, run }: LeasedJob<Row, Outcome>): void {
    const task = run(this.#stopping.signal)
      .then((result) => {
        this.#outcomes.add(job, result);
        if (result.pauseMs !== undefined) this.#pausedUntil = this.#deps.monotonicClock() + result.pauseMs;
      })
      // The job is run again after its lease.
      .catch((error) => this.#kind.onNotStored(job, error))
      .then(() => {
        this.#running.delete(task);
        this.#fillSoon(this.#runWaiting());
      });
    this.#running.add(task);
  }

  /** Attempts that end in the same turn of the event loop, or in the next milliseconds, are stored together. */
  #fillSoon(hasBegunNext: boolean): void {
    if (hasBegunNext) this.#groupTimer ??= setTimeout(() => this.#fill(), GROUP_MS);
    else this.#nextFill ??= setImmediate(() => this.#fill());
  }

  #cancelNextFill(): void {
    if (this.#groupTimer !== null) clearTimeout(this.#groupTimer);
    if (this.#nextFill !== null) clearImmediate(this.#nextFill);
    this.#groupTimer = null;
    this.#nextFill = null;
  }
}

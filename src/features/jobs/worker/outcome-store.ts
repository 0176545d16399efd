/** Stores outcomes of attempts in groups: one transaction for all attempts that have ended since the last one. */
import { type Database, DatabaseUnavailable } from '../../../database/database.ts';
import type { Job } from '../queries.ts';
import type { AttemptResult, JobKind } from './job-kind.ts';

/** Few enough for a transaction of some milliseconds. One of the sizes of statements with rows. */
const MAX_GROUP = 64;

interface EndedAttempt<Row, Outcome> {
  readonly job: Row;
  readonly outcome: Outcome;
  readonly isDone: boolean;
}

export class OutcomeStore<Row extends Job, Outcome> {
  readonly #database: Database;
  readonly #kind: Pick<JobKind<Row, Outcome>, 'storeOutcomes' | 'onNotStored'>;
  /** By the id of the job, the earliest first. */
  readonly #ended = new Map<string, EndedAttempt<Row, Outcome>>();
  #hasNew = false;

  constructor(database: Database, kind: Pick<JobKind<Row, Outcome>, 'storeOutcomes' | 'onNotStored'>) {
    this.#database = database;
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#ended.size === 0;
  }

  /** Returns whether `store` has not tried to store some outcomes yet. */
  get hasNew(): boolean {
    return this.#hasNew;
  }

  add(job: Row, { outcome, isDone }: AttemptResult<Outcome>): void {
    if (outcome === null) return;
    this.#ended.set(job.id, { job, outcome, isDone });
    this.#hasNew = true;
  }

  /**
   * Stores all outcomes. While the database is unavailable, they are kept. If one of them is rejected, the others are
   * stored, and the rejected one is kept if its job is done: any other job is run again after its lease.
   * @throws DatabaseUnavailable
   */
  async store(): Promise<void> {
    this.#hasNew = false;
    const ended = [...this.#ended.values()];
    for (let start = 0; start < ended.length; start += MAX_GROUP)
      await this.#storeGroup(ended.slice(start, start + MAX_GROUP));
  }

  async #storeGroup(group: readonly EndedAttempt<Row, Outcome>[]): Promise<void> {
    try {
      const outcomes = group.map(({ outcome }) => outcome);
      await this.#database.transaction((tx) => this.#kind.storeOutcomes(tx, outcomes));
      for (const each of group) this.#remove(each);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (group.length > 1) for (const each of group) await this.#storeGroup([each]);
      else this.#reject(group[0]!, error);
    }
  }

  #reject(ended: EndedAttempt<Row, Outcome>, error: unknown): void {
    this.#kind.onNotStored(ended.job, error);
    if (!ended.isDone) this.#remove(ended);
  }

  /** Unless another attempt of the same job has ended meanwhile. */
  #remove(ended: EndedAttempt<Row, Outcome>): void {
    if (this.#ended.get(ended.job.id) === ended) this.#ended.delete(ended.job.id);
  }
}

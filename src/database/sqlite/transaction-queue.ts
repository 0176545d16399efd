/**
 * Runs transactions one after the other. Those that wait share one commit, and with it one flush to disk (group
 * commit): each but the first is a savepoint of it, and learns its outcome after it. Counters and texts of the search are
 * written once per group.
 */
import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { ONE_SLOT } from '../counters.ts';
import { DatabaseUnavailable, type Statement, type TransactionOptions, type Tx } from '../database.ts';
import { createTx } from '../guarded-tx.ts';
import { LateWrites } from '../late-writes.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteFile } from './file.ts';

/** A group ends after this time, so that the first of it does not wait long for the others. */
const MAX_GROUP_MS = 20;
const MAX_GROUP_SIZE = 64;

/** Interval and total time of retries while another program holds the lock. */
const BUSY_PAUSE_MS = 10;
const LOCK_WAIT_MS = 2_500;

const BEGIN: Statement<unknown> = { name: 'begin', text: 'begin immediate' };
const COMMIT: Statement<unknown> = { name: 'commit', text: 'commit' };
const ROLLBACK: Statement<unknown> = { name: 'rollback', text: 'rollback' };
const SAVE: Statement<unknown> = { name: 'save', text: 'savepoint one' };
const RELEASE: Statement<unknown> = { name: 'release', text: 'release one' };
const RESTORE: Statement<unknown> = { name: 'restore', text: 'rollback to one' };

interface QueuedTransaction {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly isLong: boolean;
  /** From the time when it was queued, so that the waits of queued transactions do not add up. */
  readonly deadline: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class TransactionQueue {
  readonly #file: SqliteFile;
  readonly #waiting: QueuedTransaction[] = [];
  #running: Promise<void> | null = null;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  add<T>(work: (tx: Tx) => Promise<T>, { isLong = false }: TransactionOptions = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // Events name the context of the request, and not that of the first of the group.
    const caller = new AsyncResource('transaction');
    this.#waiting.push({
      work: (tx) => caller.runInAsyncScope(work, undefined, tx),
      isLong,
      deadline: performance.now() + LOCK_WAIT_MS,
      resolve,
      reject,
    });
    this.#running ??= this.#run();
    return promise as Promise<T>;
  }

  /** Resolves when no transaction is left. */
  async finish(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Transactions that are queued at once belong to one group.
    await null;
    while (this.#waiting.length > 0) {
      await this.#runGroup();
      // Other requests are processed in between: a queue of commits that wait for the disk would stop the event loop.
      await nextTurn();
    }
    this.#running = null;
  }

  async #runGroup(): Promise<void> {
    const { writer } = this.#file;
    const first = this.#waiting.shift()!;
    const group = [first];
    try {
      await this.#begin(first);
    } catch (error) {
      first.reject(error);
      return;
    }
    try {
      const end = performance.now() + MAX_GROUP_MS;
      const late = new LateWrites();
      const outcomes = [await runMember(writer, first, { isFirst: true, late })];
      // If the first one has failed, nothing else is rolled back with it.
      while (outcomes[0]!.isKept && this.#hasNext(group, end)) {
        // Other requests are processed in between, as after a group.
        await nextTurn();
        const next = this.#waiting.shift()!;
        group.push(next);
        outcomes.push(await runMember(writer, next, { isFirst: false, late }));
      }
      const { isKept } = outcomes[0]!;
      if (isKept) await late.write(toTx(writer, { own: late, group: late }, () => true));
      writer.control(isKept ? COMMIT : ROLLBACK);
      for (const { report } of outcomes) report();
    } catch (error) {
      const unavailable = error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error);
      for (const { reject } of group) reject(unavailable);
      this.#rollBack();
    }
  }

  #rollBack(): void {
    const { writer } = this.#file;
    try {
      // Some failures (disk full, I/O) have rolled back already.
      if (writer.inTransaction) writer.control(ROLLBACK);
    } catch {
      // The group has its error; the next one fails at its begin if the file is still unusable.
    }
  }

  /** Whether the next transaction in the queue belongs to the group. */
  #hasNext(group: readonly QueuedTransaction[], end: number): boolean {
    const next = this.#waiting[0];
    if (next === undefined || next.isLong || group[0]!.isLong) return false;
    return group.length < MAX_GROUP_SIZE && performance.now() < end;
  }

  /** Waits for the lock of another process, such as a backup, without blocking; tries once after the deadline. */
  async #begin({ isLong, deadline }: QueuedTransaction): Promise<void> {
    const { writer } = this.#file;
    this.#file.check();
    // Each savepoint copies the pages that it changes: written to a file, they cost as much as the commit.
    writer.keepCopiesIn(isLong ? 'file' : 'memory');
    for (;;) {
      try {
        writer.control(BEGIN);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await pause(BUSY_PAUSE_MS);
      }
    }
  }
}

/** Returns the outcome, and the function that reports it. @throws when the whole group has to be rolled back */
async function runMember(
  writer: SqliteConnection,
  { work, resolve, reject }: QueuedTransaction,
  { isFirst, late }: { readonly isFirst: boolean; readonly late: LateWrites },
): Promise<{ readonly isKept: boolean; report(): void }> {
  if (!isFirst) writer.control(SAVE);
  let isOpen = true;
  try {
    const own = new LateWrites();
    const tx = toTx(writer, { own, group: late }, () => isOpen && writer.inTransaction);
    const result = await work(tx);
    if (!isFirst) writer.control(RELEASE);
    late.add(own);
    return { isKept: true, report: () => resolve(result) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable || !writer.inTransaction) throw error;
    if (!isFirst) {
      writer.control(RESTORE);
      writer.control(RELEASE);
    }
    return { isKept: false, report: () => reject(error) };
  } finally {
    isOpen = false;
  }
}

/** Whether a retry may help, as opposed to a full disk or a read-only or damaged file. */
function isBusy(error: unknown): boolean {
  const code = error instanceof DatabaseUnavailable ? (error.cause as { code?: string })?.code : '';
  return /^SQLITE_(BUSY|LOCKED)/.test(code ?? '');
}

export function toTx(
  connection: SqliteConnection,
  { own, group }: Readonly<Record<'own' | 'group', LateWrites>>,
  isOpen: () => boolean,
): Tx {
  return createTx(
    {
      get: (statement, ...values) => connection.get(statement, values),
      all: (statement, ...values) => connection.all(statement, values),
      run: (statement, ...values) => connection.run(statement, values),
      ...ONE_SLOT,
      getChange: (name) => group.getChange(name),
    },
    own,
    isOpen,
  );
}

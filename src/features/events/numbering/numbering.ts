/** Numbers events while the service runs, and makes events of what was counted. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runAsSystem } from '../../../callers/action-context.ts';
import { type DatabaseDeps, DatabaseUnavailable, type Tx } from '../../../database/database.ts';
import { coalesce } from '../../../lib/queues/shared-work.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { hasUser, insertEvents, type NewEventRow } from '../queries.ts';
import { omitErased } from '../record-event.ts';
import { numberEvents } from './number-events.ts';
import { type CountRow, hasDueCounts, takeDueCounts } from './queries.ts';

/** Readers see an event at most so much later than its commit, and the time that numbering takes. */
const INTERVAL_MS = 150;
const COUNTS_PER_BATCH = 100;
/** Time that a reader waits at most. */
const MAX_FLUSH_MS = 250;

export type Numbering = ReturnType<typeof startNumbering>;

interface NumberingOptions extends DatabaseDeps {
  readonly logger: Logger;
  /** Replacement for tests. */
  readonly maxFlushMs?: number | undefined;
}

/** Starts to number events every 150 ms. A failure is logged, and the next time is soon. */
export function startNumbering(options: NumberingOptions) {
  const { maxFlushMs = MAX_FLUSH_MS } = options;
  const listeners: (() => void)[] = [];
  const onNumbered = () => {
    for (const listener of listeners) listener();
  };
  let isStopping = false;
  /** Yields to requests between batches: transactions on SQLite are synchronous and would block the event loop. */
  const numberAll = async () => {
    let next: string | null = '';
    do {
      const after: string = next;
      next = await runAsSystem(() => numberNext(options, after, onNumbered));
      await nextTurn();
    } while (next !== null && !isStopping);
  };
  // Calls share a run that reads after all of them have committed.
  const run = coalesce(numberAll);
  const timer = setInterval(run, INTERVAL_MS).unref();
  return {
    /** Numbers everything that is committed now, and waits for it at most 250 ms: never for the backlog of an import. */
    flush: () => Promise.race([run(), delay(maxFlushMs, undefined, { ref: false })]),
    /** Calls `listener` after each transaction in which this node has numbered events. It must not throw. */
    onNumbered: (listener: () => void) => void listeners.push(listener),
    /** Stops after the current batch. */
    close: () => {
      clearInterval(timer);
      isStopping = true;
      return run();
    },
  };
}

/** Numbers the next batch; returns the id of its last event if there may be more. */
async function numberNext(
  { database, clock, logger }: NumberingOptions,
  after: string,
  onNumbered: () => void,
): Promise<string | null> {
  try {
    if (await hasDueCounts(database, clock()))
      await database.transaction((tx) => recordCounts(tx, clock(), COUNTS_PER_BATCH), { isLong: true });
    const { count, next } = await numberEvents(database, after);
    if (count > 0) onNumbered();
    return next;
  } catch (error) {
    // The log has a line about an unavailable database already.
    if (!(error instanceof DatabaseUnavailable)) logger.error({ err: error }, 'events cannot be numbered');
    return null;
  }
}

/** Records occurrences that were counted about a minute ago: one event for each of at most `limit` causes. */
export async function recordCounts(tx: Tx, now: number, limit: number): Promise<void> {
  // Without locks, which erasures hold while they delete counts: they look at the events after that.
  for (const count of await takeDueCounts(tx, now, limit))
    await insertEvents(tx, [await omitErased(tx, createRow(count, now), hasUser)]);
}

const FAILURES: readonly string[] = ['login.failed', 'credential.rejected', 'access.denied'];

function createRow(count: CountRow, now: number): NewEventRow {
  const { occurrences, first_at, last_at, ...content } = count;
  const outcome = FAILURES.includes(content.type) ? 'failure' : 'success';
  const data = JSON.stringify({ occurrences, first_at, last_at });
  return { id: newId(), created_at: now, ...content, outcome, data, device: null };
}

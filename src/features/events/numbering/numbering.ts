/** Numbers events while the service runs, and counts those of ended hours. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { runAsSystem } from '../../../callers/action-context.ts';
import { type Database, DatabaseUnavailable } from '../../../database/database.ts';
import { coalesce } from '../../../lib/queues/coalesce.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { hasEndedCounts } from '../counts/queries.ts';
import { recordCounts } from '../counts/record-counts.ts';
import { BATCH_SIZE, numberEvents } from './number-events.ts';

/** Readers see an event at most so much later than its commit, and the time that numbering takes. */
const INTERVAL_MS = 150;
const COUNTS_PER_BATCH = 100;

export interface Numbering {
  /** Numbers everything that is committed now. */
  flush(): Promise<void>;
  /** Calls `listener` after each transaction in which this node has numbered events. It must not throw. */
  onNumbered(listener: () => void): void;
  /** Stops after the current batch. */
  close(): Promise<void>;
}

export interface NumberingOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts to number events every 150 ms. A failure is logged, and the next time is soon. */
export function startNumbering(options: NumberingOptions): Numbering {
  const stopping = new AbortController();
  const listeners: (() => void)[] = [];
  const onNumbered = () => {
    for (const listener of listeners) listener();
  };
  // Calls share a run that reads after all of them have committed.
  const flush = coalesce(() => runAsSystem(() => numberAll(options, stopping.signal, onNumbered)));
  const timer = setInterval(flush, INTERVAL_MS).unref();
  return {
    flush,
    onNumbered: (listener) => void listeners.push(listener),
    close: () => {
      clearInterval(timer);
      stopping.abort();
      return flush();
    },
  };
}

/** Yields to requests between batches: transactions on SQLite are synchronous and would block the event loop. */
async function numberAll(
  { database, clock, logger }: NumberingOptions,
  stopping: AbortSignal,
  onNumbered: () => void,
): Promise<void> {
  try {
    while (!stopping.aborted && (await hasEndedCounts(database, clock()))) {
      await database.transaction((tx) => recordCounts(tx, clock(), COUNTS_PER_BATCH));
      await nextTurn();
    }
    for (let numbered = BATCH_SIZE; numbered === BATCH_SIZE && !stopping.aborted; ) {
      numbered = await numberEvents(database);
      if (numbered > 0) onNumbered();
      await nextTurn();
    }
  } catch (error) {
    // The log has a line about an unavailable database already.
    if (!(error instanceof DatabaseUnavailable)) logger.error({ err: error }, 'events cannot be numbered');
  }
}

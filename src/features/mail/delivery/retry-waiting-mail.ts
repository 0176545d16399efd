/** Makes all waiting messages due, in batches, beside a service that writes. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time.ts';
import { lastOfPage, retryRange } from '../queries.ts';

/** Few enough that no other transaction waits long: for the only lock, or for rows of the batch. */
const BATCH_SIZE = 250;
const SHARED_BATCH_SIZE = 1_000;
/** Longer than the interval at which a process asks for the lock of a database that this one holds. */
const MIN_PAUSE_MS = 20;

/**
 * Returns the number of messages that were not due before. Those that a node sends now keep their time. On a database
 * that one process can write at a time, pauses for as long as each batch took, so that others get half of the time.
 */
export async function retryWaitingMail(database: Database, clock: Clock): Promise<number> {
  const limit = database.isShared ? SHARED_BATCH_SIZE : BATCH_SIZE;
  let count = 0;
  for (let from = ''; ; ) {
    const to = await lastOfPage(database, from, limit);
    if (to === null) return count;
    const startedAt = performance.now();
    const retried = await database.transaction((tx) => retryRange(tx, { from, to, now: clock() }), {
      isLong: true,
    });
    count += retried;
    if (retried > 0 && !database.isShared) await pause(Math.max(MIN_PAUSE_MS, performance.now() - startedAt));
    from = to;
  }
}

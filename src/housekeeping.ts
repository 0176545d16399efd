/** Deletes expired tokens and idempotent responses, abandoned users, and old statistics. Every node does it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Tx } from './database/database.ts';
import { forgetOldNetworks } from './features/accounts/queries.ts';
import { deleteOldActivity, deleteOldFailures } from './features/activity/queries.ts';
import { deleteExpiredTokens } from './features/tokens/queries.ts';
import { deleteAbandonedUsers } from './features/users/queries.ts';
import { deleteExpiredClaims } from './http/idempotency/queries.ts';
import { deleteOldFailedAttempts, deleteWholeLimits } from './http/rate-limits/queries.ts';
import { type Clock, DAY, dayNumber, HOUR, MINUTE } from './lib/clock.ts';

const INTERVAL_MS = HOUR;
/** Rows per transaction: few enough that no request waits long for the lock. */
const BATCH_SIZE = 500;
const ABANDONED_AFTER_DAYS = 30;
const ACTIVITY_DAYS = 90;
const FAILED_ATTEMPTS_DAYS = 30;
const KNOWN_NETWORKS_DAYS = 180;

export interface Housekeeping {
  /** Deletes all rows that have expired by now. */
  run(): Promise<void>;
  /** Stops after the current batch. */
  close(): Promise<void>;
}

/** Starts to run every hour, for the first time after an hour. */
export function startHousekeeping(database: Database, clock: Clock, logger: Logger): Housekeeping {
  let isClosed = false;
  const deleteInBatches = async (deleteBatch: (tx: Tx) => Promise<number>) => {
    // Yields to requests between batches: transactions on SQLite are synchronous and would block the event loop.
    while (!isClosed && (await database.transaction(deleteBatch)) === BATCH_SIZE) await nextTurn();
  };
  const run = async () => {
    const now = clock();
    await deleteInBatches((tx) => deleteExpiredTokens(tx, now, BATCH_SIZE));
    await deleteInBatches((tx) => deleteAbandonedUsers(tx, now - ABANDONED_AFTER_DAYS * DAY, BATCH_SIZE));
    await deleteInBatches((tx) => deleteExpiredClaims(tx, now, BATCH_SIZE));
    await deleteInBatches((tx) => deleteWholeLimits(tx, now, BATCH_SIZE));
    await deleteInBatches((tx) => deleteOldFailedAttempts(tx, now - FAILED_ATTEMPTS_DAYS * DAY, BATCH_SIZE));
    await deleteInBatches((tx) => forgetOldNetworks(tx, now - KNOWN_NETWORKS_DAYS * DAY, BATCH_SIZE));
    const oldest = now - ACTIVITY_DAYS * DAY;
    await deleteInBatches((tx) => deleteOldActivity(tx, dayNumber(oldest), BATCH_SIZE));
    await deleteInBatches((tx) => deleteOldFailures(tx, Math.floor(oldest / MINUTE), BATCH_SIZE));
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = run().catch((error) => {
      logger.warn({ err: error }, 'housekeeping failed and runs again in an hour');
    });
  }, INTERVAL_MS).unref();
  const close = () => {
    clearInterval(timer);
    isClosed = true;
    return running;
  };
  return { run, close };
}

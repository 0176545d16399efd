/** Deletes expired tokens and stored responses, abandoned records and old statistics. Any node may do it. */
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

const EVERY_MS = HOUR;
/** Rows per transaction: few enough that no request waits long for the write lock. */
const BATCH = 500;
const ABANDONED_AFTER_DAYS = 30;
const ACTIVITY_DAYS = 90;
const FAILED_ATTEMPT_DAYS = 30;
const NETWORKS_DAYS = 180;

export interface Housekeeping {
  /** Deletes all rows that are due now. */
  run(): Promise<void>;
  /** Stops after the current batch. */
  close(): Promise<void>;
}

/** Runs every hour, the first time after an hour. */
export function startHousekeeping(database: Database, clock: Clock, logger: Logger): Housekeeping {
  let isClosed = false;
  const inBatches = async (remove: (tx: Tx) => Promise<number>) => {
    // Yields between batches: transactions on SQLite alone never return to the event loop.
    while (!isClosed && (await database.transaction(remove)) === BATCH) await nextTurn();
  };
  const run = async () => {
    const now = clock();
    await inBatches((tx) => deleteExpiredTokens(tx, now, BATCH));
    await inBatches((tx) => deleteAbandonedUsers(tx, now - ABANDONED_AFTER_DAYS * DAY, BATCH));
    await inBatches((tx) => deleteExpiredClaims(tx, now, BATCH));
    await inBatches((tx) => deleteWholeLimits(tx, now, BATCH));
    await inBatches((tx) => deleteOldFailedAttempts(tx, now - FAILED_ATTEMPT_DAYS * DAY, BATCH));
    await inBatches((tx) => forgetOldNetworks(tx, now - NETWORKS_DAYS * DAY, BATCH));
    const oldest = now - ACTIVITY_DAYS * DAY;
    await inBatches((tx) => deleteOldActivity(tx, dayNumber(oldest), BATCH));
    await inBatches((tx) => deleteOldFailures(tx, Math.floor(oldest / MINUTE), BATCH));
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = run().catch((error) => {
      logger.warn({ err: error }, 'housekeeping failed, it runs again in an hour');
    });
  }, EVERY_MS).unref();
  const close = () => {
    clearInterval(timer);
    isClosed = true;
    return running;
  };
  return { run, close };
}

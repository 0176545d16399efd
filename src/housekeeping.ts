/** Deletes what has had its time: expired tokens and stored answers, abandoned records, old statistics. Any node may do it. */
import type { Logger } from 'pino';
import type { Database, Tx } from './database/database.ts';
import { forgetOldNetworks } from './features/accounts/queries.ts';
import { deleteOldActivity } from './features/activity/queries.ts';
import { deleteExpiredTokens } from './features/tokens/queries.ts';
import { deleteAbandonedUsers } from './features/users/queries.ts';
import { deleteExpiredClaims } from './http/idempotency/queries.ts';
import { deleteOldGuesses, deleteWholeLimits } from './http/rate-limits/queries.ts';
import { type Clock, DAY, dayNumber, HOUR, MINUTE } from './tools/clock.ts';

const EVERY_MS = HOUR;
/** Small enough that no request waits long for the lock. */
const BATCH = 500;
const ABANDONED_AFTER_DAYS = 30;
const ACTIVITY_DAYS = 90;
const GUESSES_DAYS = 30;
const NETWORKS_DAYS = 180;

export interface Housekeeping {
  /** Deletes everything that is due now. */
  run(): Promise<void>;
  close(): void;
}

export function startHousekeeping(database: Database, clock: Clock, logger: Logger): Housekeeping {
  const run = async () => {
    const now = clock();
    await inBatches(database, (tx) => deleteExpiredTokens(tx, now, BATCH));
    await inBatches(database, (tx) => deleteAbandonedUsers(tx, now - ABANDONED_AFTER_DAYS * DAY, BATCH));
    await inBatches(database, (tx) => deleteExpiredClaims(tx, now, BATCH));
    await inBatches(database, (tx) => deleteWholeLimits(tx, now, BATCH));
    await inBatches(database, (tx) => deleteOldGuesses(tx, now - GUESSES_DAYS * DAY, BATCH));
    await database.transaction((tx) => forgetOldNetworks(tx, now - NETWORKS_DAYS * DAY));
    const oldest = now - ACTIVITY_DAYS * DAY;
    await database.transaction((tx) => deleteOldActivity(tx, dayNumber(oldest), Math.floor(oldest / MINUTE)));
  };
  const timer = setInterval(() => {
    run().catch((error) => logger.warn({ err: error }, 'housekeeping failed, it runs again in an hour'));
  }, EVERY_MS).unref();
  return { run, close: () => clearInterval(timer) };
}

async function inBatches(database: Database, remove: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await database.transaction(remove)) === BATCH);
}

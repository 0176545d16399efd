/** Deletes what has had its time: expired tokens, abandoned records, old statistics. Any node may do it. */
import type { Logger } from 'pino';
import type { Database, Tx } from './database/database.ts';
import { deleteOldActivity } from './features/activity/queries.ts';
import { deleteExpiredTokens } from './features/tokens/queries.ts';
import { deleteAbandonedUsers } from './features/users/queries.ts';
import { type Clock, DAY, dayNumber, HOUR, MINUTE } from './tools/clock.ts';

const EVERY_MS = HOUR;
/** Small enough that no request waits long for the lock. */
const BATCH = 500;
const ABANDONED_AFTER_DAYS = 30;
const ACTIVITY_DAYS = 90;

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

/** Corrects times of messages that were set while the clock was ahead: they would wait until it has caught up. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../../database/database.ts';
import { LEASE_MS } from '../lease.ts';
import { MAX_RETRY_DELAY_MS } from '../retry-delay.ts';
import { correctDelays, correctLeases } from './queries.ts';

const BATCH_SIZE = 500;

/**
 * Makes messages due whose next attempt is later than the longest delay. A lease that is too long ends as if it began
 * now, because the message may be being sent.
 */
export async function correctSchedule(database: Database, now: number): Promise<void> {
  await database.transaction((tx) => correctLeases(tx, now + LEASE_MS));
  const correction = { now, latest: now + MAX_RETRY_DELAY_MS, limit: BATCH_SIZE };
  while ((await database.transaction((tx) => correctDelays(tx, correction))) >= BATCH_SIZE) await nextTurn();
}

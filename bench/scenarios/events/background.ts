/** Background work on many events: each step is one transaction, for which other writers wait. */
import type { Database } from '../../../src/database/database.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { BATCH_SIZE, numberEvents } from '../../../src/features/events/numbering/number-events.ts';
import { recordEvent } from '../../../src/features/events/record-event.ts';
import { eraseUser } from '../../../src/features/users/accounts/erasure/erase-user.ts';
import { createLog } from '../../../src/lib/log/log.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { startHousekeeping } from '../../../src/startup/housekeeping.ts';
import type { Sample } from '../../processes/seed.ts';
import { AGE_DAYS, type EventPlace } from '../../processes/seed-events.ts';

const NUMBERINGS = 20;
const ERASURES = 5;
/** As many as a day of much use leaves to an hour of housekeeping. */
const OLD_EVENTS = 10_000;
/** The service keeps addresses for 30 days; the seed has those of 29. */
const DAY_LATER = 1;

export interface BackgroundOptions {
  readonly place: EventPlace;
  readonly sample: Sample;
  /** Number of the events. */
  readonly events: number;
}

/**
 * Returns the milliseconds of the transactions of each kind of work. No service may run, because it would do the same
 * work.
 */
export async function timeBackground(options: BackgroundOptions): Promise<Record<string, number[]>> {
  const opened = openDatabase({ ...options.place, databasePool: 2 });
  let times: number[] = [];
  const database: Database = {
    ...opened,
    transaction: async (work) => {
      const began = performance.now();
      return opened.transaction(work).finally(() => times.push(performance.now() - began));
    },
  };
  const takeTimes = async (work: Promise<unknown>) => {
    times = [];
    await work;
    return times;
  };
  try {
    return {
      [`numbering of ${BATCH_SIZE} events`]: await takeTimes(number(database, options)),
      'housekeeping of 10,000 events and addresses': await takeTimes(keepHouse(database, options)),
      'erasure of users': await takeTimes(erase(database, options)),
    };
  } finally {
    await opened.close();
  }
}

async function number(database: Database, { sample: { ids } }: BackgroundOptions): Promise<void> {
  for (let round = 0; round < NUMBERINGS; round++) {
    const users = Array.from(
      { length: BATCH_SIZE },
      (_, index) => ids[(round * BATCH_SIZE + index) % ids.length]!,
    );
    await database.transaction(async (tx) => {
      for (const userId of users)
        await recordEvent(tx, { type: 'password.changed', userId, now: Date.now() });
    });
    await numberEvents(database);
  }
}

/** Runs the housekeeping at a time at which the oldest events and addresses have expired. */
async function keepHouse(database: Database, { events }: BackgroundOptions): Promise<void> {
  const now = Date.now() + (DAY_LATER + (OLD_EVENTS / events) * AGE_DAYS) * DAY;
  const housekeeping = startHousekeeping(database, {
    clock: () => now,
    logger: createLog('silent'),
    schedule: () => () => {},
    settings: { current: { unclaimedUsersDays: AGE_DAYS, eventsDays: AGE_DAYS + DAY_LATER } },
  });
  await housekeeping.run();
  await housekeeping.close();
}

/** The first user has a thousand events. */
async function erase(database: Database, { sample: { ids } }: BackgroundOptions): Promise<void> {
  for (const id of ids.slice(0, ERASURES))
    await eraseUser({ database, clock: Date.now, maxErasureWaitMs: null }, id);
}

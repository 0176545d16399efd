/** Work of the service by itself on a million users: housekeeping that finds nothing to delete, and filtered pages. */
import { join } from 'node:path';
import { type Database, sql } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open.ts';
import { readPage } from '../src/features/users/queries.ts';
import { startHousekeeping } from '../src/housekeeping.ts';
import { createLog } from '../src/lib/log.ts';
import type { Finding } from './findings.ts';
import { emailOf, seed } from './seed.ts';
import { withStage } from './stage.ts';
import { median } from './statistics.ts';

const USERS = 1_000_000;
const ROUNDS = 9;
const MAX_SWEEP_MS = 8;
const MAX_PAGE_MS = 1;

/** Users created by anonymous callers just now: a clean-up must not read those that are not due. */
const MAKE_UNCLAIMED = sql(`
  update users set state = 'unclaimed', owns_email = 0, created_at = $1
  where id in (select id from users order by id limit 100000)`);

/** Measures inside this process, because the service sweeps once an hour. */
export function measureSweep(): Promise<Finding[]> {
  return withStage(async ({ directory }) => {
    const dataDir = join(directory, 'service');
    await seed(dataDir, USERS);
    const database = openDatabase({ databaseUrl: null, dataDir, databasePool: 1 });
    try {
      await database.transaction((tx) => tx.run(MAKE_UNCLAIMED, Date.now()));
      return [await measureHousekeeping(database), await measureFilteredPage(database)];
    } finally {
      await database.close();
    }
  });
}

async function measureHousekeeping(database: Database): Promise<Finding> {
  const housekeeping = startHousekeeping(database, {
    clock: Date.now,
    logger: createLog('silent'),
    unclaimedUsersDays: 7,
  });
  const times = await timesOf(() => housekeeping.run());
  await housekeeping.close();
  return finding('housekeeping, nothing due', times, MAX_SWEEP_MS);
}

async function measureFilteredPage(database: Database): Promise<Finding> {
  const filter = { state: 'active', emailKey: emailOf(USERS / 2), search: null } as const;
  const times = await timesOf(() =>
    readPage(database, { after: null, limit: 20, filter, order: 'created_at' }),
  );
  return finding('page of users by state and email', times, MAX_PAGE_MS);
}

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

function finding(what: string, times: readonly number[], atMost: number): Finding {
  const figures = { 'median ms': median(times), 'per round': times };
  return { bench: 'sweep', what, figures, target: { figure: 'median ms', atMost } };
}

/** Work of the service by itself on a million users: housekeeping that finds nothing to delete, and filtered pages. */
import { join } from 'node:path';
import { type Database, sql } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open.ts';
import { readPage } from '../src/features/users/queries.ts';
import { createLog } from '../src/lib/log/log.ts';
import { startHousekeeping } from '../src/startup/housekeeping.ts';
import type { Finding } from './findings.ts';
import type { PostgresJob, SeededPostgres } from './postgres.ts';
import { emailOf, seed } from './seed.ts';
import { ANY_CORE, withStage } from './stage.ts';
import { median } from './statistics.ts';

const USERS = 1_000_000;
const ROUNDS = 9;
/** The event loop stops for the statements of SQLite, and only waits for those of PostgreSQL. */
const MAX_SWEEP_MS = { sqlite: 8, postgresql: 50 };
const MAX_PAGE_MS = 1;

/** Users created by anonymous callers just now: a clean-up must not read those that are not due. */
const MAKE_UNCLAIMED = sql(`
  update users set state = 'unclaimed', owns_email = 0, created_at = $1
  where id in (select id from users order by id limit 100000)`);

/** Measures on SQLite, inside this process, because the service sweeps once an hour. */
export function measureSweep(): Promise<Finding[]> {
  return withStage(async ({ directory }) => {
    const dataDir = join(directory, 'service');
    await seed(dataDir, USERS);
    return measure('sweep', openDatabase({ databaseUrl: null, dataDir, databasePool: 1 }));
  });
}

/** Measures the same on PostgreSQL. */
export function measureSweepPostgres(): Promise<Finding[]> {
  return withStage(async (stage) => {
    const postgres = stage.helper<PostgresJob, SeededPostgres>('postgres.ts', ANY_CORE);
    const { url } = await postgres({ users: USERS, tokens: 0 });
    return measure('sweep-postgres', openDatabase({ databaseUrl: url, dataDir: '', databasePool: 1 }));
  });
}

async function measure(bench: string, database: Database): Promise<Finding[]> {
  try {
    await database.transaction((tx) => tx.run(MAKE_UNCLAIMED, Date.now()));
    const findings = [await measureHousekeeping(database), await measureFilteredPage(database)];
    return findings.map((found) => ({ bench, ...found }));
  } finally {
    await database.close();
  }
}

type SweepFinding = Omit<Finding, 'bench'>;

async function measureHousekeeping(database: Database): Promise<SweepFinding> {
  const housekeeping = startHousekeeping(database, {
    clock: Date.now,
    logger: createLog('silent'),
    unclaimedUsersDays: 7,
  });
  const times = await timesOf(() => housekeeping.run());
  await housekeeping.close();
  return finding('housekeeping, nothing due', times, MAX_SWEEP_MS[database.engine]);
}

async function measureFilteredPage(database: Database): Promise<SweepFinding> {
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

function finding(what: string, times: readonly number[], atMost: number): SweepFinding {
  const figures = { 'median ms': median(times), 'per round': times };
  return { what, figures, target: { figure: 'median ms', atMost } };
}

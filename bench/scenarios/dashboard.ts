/** The dashboard of a million users, and its cost for other requests, on both engines. */
import { join } from 'node:path';
import { type Database, sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { recomputeStatistics } from '../../src/features/activity/dashboard/recompute-statistics.ts';
import { DAY, dayNumber } from '../../src/lib/time/clock.ts';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, get } from '../load/requests.ts';
import { measureInTurn, type Pace } from '../load/rounds.ts';
import { median, p99s, ratios } from '../load/statistics.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import { populate } from '../processes/seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Stage, withStage } from '../processes/stage.ts';
import { sampleTokens } from './million-users.ts';

const USERS = 1_000_000;
const TOKENS = 1_000;
const ROUNDS = 5;
const ACTIVE_A_DAY = 500_000;
const ACTIVE_DAYS = 3;
const DASHBOARDS = 10;
const ME_PER_SECOND = 500;
const MAX_DASHBOARD_MS = 50;
const MAX_P99_RATIO = 3;
/** Longer than the figures are cached. */
const PAUSE_MS = 2_100;

/** Measures the dashboard on SQLite, and `me` beside ten dashboards at a time. */
export function measureDashboard(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const dataDir = join(stage.directory, 'service');
    const { tokens } = await populate(dataDir, USERS);
    await addActivity({ databaseUrl: null, dataDir });
    return measure({
      stage,
      bench: 'dashboard',
      pace,
      tokens,
      environment: createServiceEnvironment(dataDir),
    });
  });
}

/** Measures the same on PostgreSQL. */
export function measureDashboardPostgres(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const postgres = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url, sample } = await postgres({ users: USERS, tokens: TOKENS });
    await addActivity({ databaseUrl: url, dataDir: '' });
    const environment = { ...createServiceEnvironment(join(stage.directory, 'service')), DATABASE_URL: url };
    return measure({ stage, bench: 'dashboard-postgres', pace, tokens: sample.tokens, environment });
  });
}

interface DashboardBench {
  readonly stage: Stage;
  readonly bench: string;
  readonly pace: Pace;
  readonly tokens: readonly string[];
  /** Settings of the service. */
  readonly environment: Record<string, string>;
}

async function measure({ stage, bench, pace, tokens, environment }: DashboardBench): Promise<Finding[]> {
  const { port } = await stage.server(SERVICE, environment, ANY_CORE);
  const sendMe = stage.helper<ConstantRateJob, LoadResult>('load/constant-rate-load.ts', ANY_CORE);
  const readDashboards = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
  const dashboard = get('/api/v1/admin/dashboard', ADMIN_TOKEN);
  const times = await timeUncachedDashboards(port, dashboard.headers);
  const me = sampleTokens(tokens).map((token) => get('/api/v1/me', token));
  const readMe = (milliseconds: number) =>
    sendMe({ port, requests: me, connections: 32, milliseconds, perSecond: ME_PER_SECOND });
  const readMeBeside = (load: Pick<Job, 'burstPerSecond'>) => async (milliseconds: number) => {
    const job = { port, requests: [dashboard], connections: DASHBOARDS, milliseconds, ...load };
    const [result] = await Promise.all([readMe(milliseconds), readDashboards(job)]);
    return result;
  };
  const sides = [readMe, readMeBeside({ burstPerSecond: DASHBOARDS }), readMeBeside({})];
  const [quiet = [], bursts = [], noPause = []] = await measureInTurn(sides, pace.long);
  return [
    toDashboardFinding(bench, times),
    toBesideFinding({ bench, how: 'at once, every second', quiet, loaded: bursts }),
    toBesideFinding({ bench, how: 'without a pause', quiet, loaded: noPause }),
  ];
}

type DatabaseLocation = Pick<Parameters<typeof openDatabase>[0], 'databaseUrl' | 'dataDir'>;

async function addActivity(place: DatabaseLocation): Promise<void> {
  const database = openDatabase({ ...place, databasePool: 1 });
  const today = dayNumber(Date.now());
  for (let day = today - ACTIVE_DAYS + 1; day <= today; day++) await fillDay(database, day);
  await recomputeStatistics(database, () => today * DAY);
  await database.close();
}

const FILL_DAY = sql(`
  insert into user_activity (day, user_id, minute)
  select cast($1 as bigint), id, created_at % 1440 from users order by id limit $2 offset $3`);
/** Fewer than PostgreSQL inserts until the service's limit of a statement. */
const ROWS_PER_STATEMENT = 50_000;

async function fillDay(database: Database, day: number): Promise<void> {
  for (let from = 0; from < ACTIVE_A_DAY; from += ROWS_PER_STATEMENT) {
    await database.transaction((tx) => tx.run(FILL_DAY, day, ROWS_PER_STATEMENT, from));
  }
}

async function timeUncachedDashboards(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/api/v1/admin/dashboard`, { headers })).text();
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  // The first request compiles code and statements.
  return times.slice(1);
}

function toDashboardFinding(bench: string, times: readonly number[]): Finding {
  return {
    bench,
    what: 'dashboard, computed anew',
    figures: { 'median ms': median(times), 'per round': times },
    target: { figure: 'median ms', atMost: MAX_DASHBOARD_MS },
  };
}

interface BesideFigures {
  readonly bench: string;
  /** How the dashboards were read. */
  readonly how: string;
  readonly quiet: readonly LoadResult[];
  readonly loaded: readonly LoadResult[];
}

function toBesideFinding({ bench, how, quiet, loaded }: BesideFigures): Finding {
  const perRound = ratios(p99s(loaded), p99s(quiet));
  return {
    bench,
    what: `me, ${ME_PER_SECOND} a second, beside ${DASHBOARDS} dashboards ${how}`,
    figures: {
      'idle p99 ms': median(p99s(quiet)),
      'p99 ms': median(p99s(loaded)),
      'p99 ratio': median(perRound),
      'per round': perRound,
    },
    target: { figure: 'p99 ratio', atMost: MAX_P99_RATIO },
  };
}

/** What a million users cost: `me` by token, the dashboard beside other requests, and the import of users. */
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type Database, sql } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open.ts';
import { recomputeStatistics } from '../src/features/dashboard/recompute-statistics.ts';
import { DAY, dayNumber } from '../src/lib/clock.ts';
import { type CostedOutcome, cpuTimes, measureServer } from './comparison.ts';
import type { Finding } from './findings.ts';
import type { Outcome } from './jobs.ts';
import type { Job } from './load.ts';
import { ADMIN_TOKEN, get } from './requests.ts';
import { inTurn, type Pace } from './rounds.ts';
import { populate, type Sample } from './seed.ts';
import { ANY_CORE, SERVICE, type Server, type Stage, serviceEnvironment, withStage } from './stage.ts';
import { median, p99s, ratios } from './statistics.ts';
import type { SteadyJob } from './steady-client.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 5;
const MAX_SLOWDOWN = 1.2;

/** Compares `me` with a million tokens in the table to `me` with a thousand. */
export function measureTokens(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const few = await serve(stage, FEW);
    const many = await serve(stage, MANY);
    const load = stage.helper<Job, Outcome>('load.ts');
    const requests = ({ tokens }: Sample) => spread(tokens).map((token) => get('/api/v1/me', token));
    const sides = [few, many].map(({ server, sample }) => measureServer(load, server, requests(sample)));
    const [short = [], long = []] = await inTurn(sides, { ...pace.long, rounds: ROUNDS });
    return [compareTokens(short, long)];
  });
}

function compareTokens(short: CostedOutcome[], long: CostedOutcome[]): Finding {
  const perRound = ratios(cpuTimes(long), cpuTimes(short));
  return {
    bench: 'tokens',
    what: 'me, by one of 1,000,000 tokens',
    figures: {
      'of 1,000 cpu µs': median(cpuTimes(short)),
      'of 1,000,000 cpu µs': median(cpuTimes(long)),
      'time ratio': median(perRound),
      'per round': perRound,
    },
    target: { figure: 'time ratio', atMost: MAX_SLOWDOWN },
  };
}

/** A thousand tokens from the whole table. */
function spread(tokens: readonly string[]): string[] {
  const step = Math.ceil(tokens.length / FEW);
  return tokens.filter((_, index) => index % step === 0);
}

interface Populated {
  readonly server: Server;
  readonly sample: Sample;
}

async function serve(stage: Stage, users: number, prepare = async (_: string) => {}): Promise<Populated> {
  const directory = join(stage.directory, String(users));
  const sample = await populate(directory, users);
  await prepare(directory);
  return { server: await stage.server(SERVICE, serviceEnvironment(directory)), sample };
}

const ACTIVE_A_DAY = 500_000;
const ACTIVE_DAYS = 3;
const DASHBOARDS = 10;
const ME_PER_SECOND = 500;
const MAX_DASHBOARD_MS = 50;
const MAX_P99_RATIO = 3;
/** Longer than the figures are cached. */
const PAUSE_MS = 2_100;

/** Measures the dashboard, and `me` beside ten dashboards at a time. */
export function measureDashboard(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const { server, sample } = await serve(stage, MANY, addActivity);
    const reading = stage.helper<SteadyJob, Outcome>('steady-load.ts', ANY_CORE);
    const asking = stage.helper<Job, Outcome>('load.ts', ANY_CORE);
    const { port } = server;
    const dashboard = get('/api/v1/admin/dashboard', ADMIN_TOKEN);
    const times = await uncachedTimes(port, dashboard.headers);
    const me = spread(sample.tokens).map((token) => get('/api/v1/me', token));
    const idle = (milliseconds: number) =>
      reading({ port, requests: me, connections: 32, milliseconds, perSecond: ME_PER_SECOND });
    const busy = async (milliseconds: number) => {
      const job = { port, requests: [dashboard], connections: DASHBOARDS, milliseconds };
      const [outcome] = await Promise.all([idle(milliseconds), asking(job)]);
      return outcome;
    };
    const [quiet = [], loaded = []] = await inTurn([idle, busy], pace.long);
    return [dashboardFinding(times), besideFinding(quiet, loaded)];
  });
}

async function addActivity(dataDir: string): Promise<void> {
  const database = openDatabase({ databaseUrl: null, dataDir, databasePool: 1 });
  const today = dayNumber(Date.now());
  for (let day = today - ACTIVE_DAYS + 1; day <= today; day++) await fillDay(database, day);
  await recomputeStatistics(database, () => today * DAY);
  await database.close();
}

const FILL_DAY = sql(`
  insert into user_activity (day, user_id) select cast($1 as bigint), id from users order by id limit $2`);

async function fillDay(database: Database, day: number): Promise<void> {
  await database.transaction((tx) => tx.run(FILL_DAY, day, ACTIVE_A_DAY));
}

async function uncachedTimes(port: number, headers: Readonly<Record<string, string>>): Promise<number[]> {
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

function dashboardFinding(times: readonly number[]): Finding {
  return {
    bench: 'dashboard',
    what: 'dashboard, computed anew',
    figures: { 'median ms': median(times), 'per round': times },
    target: { figure: 'median ms', atMost: MAX_DASHBOARD_MS },
  };
}

function besideFinding(quiet: Outcome[], loaded: Outcome[]): Finding {
  const perRound = ratios(p99s(loaded), p99s(quiet));
  return {
    bench: 'dashboard',
    what: `me, ${ME_PER_SECOND} a second, beside ${DASHBOARDS} dashboards`,
    figures: {
      'idle p99 ms': median(p99s(quiet)),
      'p99 ms': median(p99s(loaded)),
      'p99 ratio': median(perRound),
      'per round': perRound,
    },
    target: { figure: 'p99 ratio', atMost: MAX_P99_RATIO },
  };
}

const IMPORTED = 100_000;
const MAX_IMPORT_SECONDS = 60;
/** Well formed; the import verifies no hash. */
const BCRYPT = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Measures the import of users with hashes by the command line. */
export function measureImport(): Promise<Finding[]> {
  return withStage(async ({ directory }) => {
    const file = join(directory, 'users.ndjson');
    const output = createWriteStream(file);
    for (let number = 0; number < IMPORTED; number++) {
      const user = { email: `import-${number}@example.com`, name: `User ${number}`, password_hash: BCRYPT };
      output.write(`${JSON.stringify(user)}\n`);
    }
    output.end();
    await finished(output);
    const began = performance.now();
    const environment = { ...process.env, ...serviceEnvironment(join(directory, 'service')) };
    const { status, stderr } = spawnSync(process.execPath, ['src/cli.ts', 'users', 'import', file], {
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The import failed: ${stderr}`);
    const seconds = (performance.now() - began) / 1000;
    return [
      {
        bench: 'import',
        what: `${IMPORTED.toLocaleString('en')} users with bcrypt hashes`,
        figures: { seconds, 'users/s': IMPORTED / seconds },
        target: { figure: 'seconds', atMost: MAX_IMPORT_SECONDS },
      },
    ];
  });
}

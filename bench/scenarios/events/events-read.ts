/** Reads of 10,000,000 events of 1,000,000 users, and the background work beside them, on both engines. */
import { join } from 'node:path';
import type { Finding } from '../../load/findings.ts';
import { type Pace, QUICK_PACE } from '../../load/rounds.ts';
import { median } from '../../load/statistics.ts';
import type { PostgresJob, SeededPostgres } from '../../processes/postgres.ts';
import { populate, type Sample } from '../../processes/seed.ts';
import { type EventPlace, seedEvents } from '../../processes/seed-events.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Stage, withStage } from '../../processes/stage.ts';
import { timeBackground } from './background.ts';
import { createReads, type Read } from './reads.ts';

const USERS = 1_000_000;
const TOKENS = 1_000;
const EVENTS = 10_000_000;
const QUICK_EVENTS = 1_000_000;
const ROUNDS = 15;
/** Compile code and statements. */
const WARM_UP_ROUNDS = 3;
const MAX_MS = 20;
const MAX_STEP_MS = 50;
const MAX_DASHBOARD_MS = 50;
/** Longer than the figures of the dashboard are cached. */
const DASHBOARD_PAUSE_MS = 2_100;
export const SECRET_KEY = 'the-secret-key-of-the-benchmark-of-events';

/** Measures reads and background work on SQLite. */
export function measureEventsRead(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const place = { databaseUrl: null, dataDir: join(stage.directory, 'service') };
    const sample = await populate(place.dataDir, USERS, TOKENS);
    await seedEvents(place, countEvents(pace));
    return measure(stage, { bench: 'events-read', place, sample, events: countEvents(pace) });
  });
}

/** Measures the same on PostgreSQL. */
export function measureEventsReadPostgres(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const start = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url, sample } = await start({ users: USERS, tokens: TOKENS });
    const place = { databaseUrl: url, dataDir: join(stage.directory, 'service') };
    await seedEvents(place, countEvents(pace));
    return measure(stage, { bench: 'events-read-postgres', place, sample, events: countEvents(pace) });
  });
}

function countEvents(pace: Pace): number {
  return pace === QUICK_PACE ? QUICK_EVENTS : EVENTS;
}

interface SeededEvents {
  readonly bench: string;
  readonly place: EventPlace;
  readonly sample: Sample;
  readonly events: number;
}

export async function measure(stage: Stage, seeded: SeededEvents): Promise<Finding[]> {
  const { bench, place, sample, events } = seeded;
  const { databaseUrl, dataDir } = place;
  const environment = {
    ...createServiceEnvironment(dataDir),
    SECRET_KEY,
    // Each read is measured, also on a machine that has other work.
    LOAD_SHEDDING_MS: 'off',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const server = await stage.server(SERVICE, environment, ANY_CORE);
  const findings: Finding[] = [];
  for (const [what, read] of Object.entries(createReads({ secretKey: SECRET_KEY, sample, events }))) {
    const isDashboard = what === 'dashboard';
    const times = await timeRead(server.port, read, isDashboard ? DASHBOARD_PAUSE_MS : 0);
    findings.push(toFinding(bench, what, { times, atMost: isDashboard ? MAX_DASHBOARD_MS : MAX_MS }));
  }
  await server.stop();
  for (const [what, times] of Object.entries(await timeBackground({ place, sample, events })))
    findings.push(toFinding(bench, what, { times, atMost: MAX_STEP_MS }));
  return findings;
}

/** Returns the milliseconds until the end of each response, or of its first bytes. */
async function timeRead(port: number, read: Read, pauseMs: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const { path, headers, isStream } = read(round);
    const controller = new AbortController();
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: controller.signal });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    if (isStream) await response.body!.getReader().read();
    else await response.text();
    times.push(performance.now() - began);
    controller.abort();
    // The server learns that a stream was left.
    await new Promise((resolve) => setTimeout(resolve, isStream ? 50 : pauseMs));
  }
  return times.slice(WARM_UP_ROUNDS);
}

interface Times {
  readonly times: readonly number[];
  readonly atMost: number;
}

function toFinding(bench: string, what: string, { times, atMost }: Times): Finding {
  const figures = { 'median ms': median(times), 'max ms': Math.max(...times), 'per round': times };
  return { bench, what, figures, target: { figure: 'max ms', atMost } };
}

/** Cost of the process itself: start time and memory at rest. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions } from '../benches.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, type BenchRequest, fetchResponse, get, PASSWORD, post } from '../load/requests.ts';
import { median } from '../load/statistics.ts';
import { createEmail, populate } from '../processes/seed.ts';
import {
  ANY_CORE,
  createServiceEnvironment,
  SERVICE,
  STOCK,
  type Stage,
  withStage,
} from '../processes/stage.ts';

const MAX_SECONDS = 0.7;
const MAX_MEGABYTES = 140;
const USERS = 1_000;
const CONNECTIONS = 32;
const LOAD_MS = 5_000;
const REST_MS = 3_000;
const BUSY_LOOPS = 2;
const FIRST_REQUESTS = 10;

/** Measures starts. Each start of the service is on an empty directory, and includes creating the database. */
export function measureStart({ pace }: BenchOptions): Promise<Finding[]> {
  return withStage(async (stage) => {
    const stockDirectory = join(stage.directory, 'stock');
    await populate(stockDirectory, USERS);
    const stock = { DATABASE: join(stockDirectory, 'frontdesk.db'), ADMIN_TOKEN };
    const seconds = { 'stock Fastify': [] as number[], 'npm start': [] as number[] };
    const startOnce = async (command: readonly string[], environment: Record<string, string>) => {
      const server = await stage.server(command, environment, ANY_CORE);
      await server.stop();
      return server.startedMilliseconds / 1000;
    };
    for (let start = 0; start < pace.starts; start++) {
      const own = createServiceEnvironment(join(stage.directory, `service-${start}`));
      seconds['stock Fastify'].push(await startOnce(STOCK, stock));
      seconds['npm start'].push(await startOnce(['npm', 'start'], own));
    }
    const findings: Finding[] = Object.entries(seconds).map(([what, each]) => ({
      bench: 'start',
      what: `first 200 after the start of ${what}`,
      figures: { 'median s': median(each), 'per start': each },
      target: what === 'npm start' ? { figure: 'median s', atMost: MAX_SECONDS } : null,
    }));
    return [...findings, await measureBusyStart(stage, pace.starts)];
  });
}

/** Counts the first requests that are accepted after each start beside two processes that compute. */
async function measureBusyStart(stage: Stage, starts: number): Promise<Finding> {
  for (let loop = 0; loop < BUSY_LOOPS; loop++)
    // It ends with the stage.
    stage
      .helper<object, void>(
        'load/busy-loop.ts',
        ANY_CORE,
      )({})
      .catch(() => {});
  const accepted: number[] = [];
  for (let start = 0; start < starts; start++) {
    const environment = createServiceEnvironment(join(stage.directory, `busy-${start}`));
    const server = await stage.server(SERVICE, environment, ANY_CORE);
    let count = 0;
    for (let request = 0; request < FIRST_REQUESTS; request++)
      if ((await fetchResponse(server.port, get('/'))).status === 200) count += 1;
    accepted.push(count);
    await server.stop();
  }
  return {
    bench: 'start',
    what: `accepted of the first ${FIRST_REQUESTS} requests beside ${BUSY_LOOPS} busy loops`,
    figures: { fewest: Math.min(...accepted), 'per start': accepted },
    target: { figure: 'fewest', atLeast: FIRST_REQUESTS },
  };
}

/** Measures resident memory some seconds after the last request. */
export function measureMemory(): Promise<Finding[]> {
  return withStage(async (stage) => {
    const directory = join(stage.directory, 'service');
    const { tokens } = await populate(directory, USERS);
    const service = await stage.server(SERVICE, createServiceEnvironment(directory), ANY_CORE);
    const { port } = service;
    const load = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
    const measureAfter = async (what: string, requests: readonly BenchRequest[]): Promise<Finding> => {
      if (requests.length > 0)
        await load({ port, requests, connections: CONNECTIONS, milliseconds: LOAD_MS });
      await pause(REST_MS);
      const target = { figure: 'MB', atMost: MAX_MEGABYTES };
      return { bench: 'memory', what: `at rest after ${what}`, figures: { MB: service.memory() }, target };
    };
    const reads = tokens.map((token) => get('/api/v1/me', token));
    const logins = tokens.map((_, user) =>
      post('/api/login', { email: createEmail(user), password: PASSWORD }),
    );
    return [
      await measureAfter('start', []),
      await measureAfter('5 s of me', reads),
      await measureAfter('5 s of logins', logins),
    ];
  });
}

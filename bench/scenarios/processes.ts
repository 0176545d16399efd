/** One, two and four processes of the service on one port, with PostgreSQL. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../benches.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, type BenchRequest, get } from '../load/requests.ts';
import { measureInTurn, QUICK_PACE } from '../load/rounds.ts';
import { median, p99s, rates, ratios } from '../load/statistics.ts';
import { limitCpu } from '../processes/cpu-share.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import { findFreePort } from '../processes/ready.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Stage, withStage } from '../processes/stage.ts';

const USERS = 1_000;
const CONNECTIONS = 64;
/** Numbers of processes, and the lowest accepted ratio of their rate to that of one. */
const SIDES = [
  { processes: 1, atLeast: null },
  { processes: 2, atLeast: 1.8 },
  { processes: 4, atLeast: 3 },
];
const ROUNDS = { rounds: 9, milliseconds: 3_000, warmUpMilliseconds: 20_000 };
const QUICK_ROUNDS = { rounds: 3, milliseconds: 2_000, warmUpMilliseconds: 10_000 };
/** The share of a core that each process gets, on a machine without cores for four processes, the database and the load. */
const SHARE = 0.15;
const HAS_CORES = availableParallelism() >= 6;

export function measureProcesses({ pace }: BenchOptions): Promise<Finding[]> {
  return withStage(async (stage) => {
    const seed = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url, sample } = await seed({ users: USERS, tokens: USERS });
    const ports: number[] = [];
    for (const { processes } of SIDES) ports.push(await startProcesses(stage, url, processes));
    const load = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
    const measure = async (what: string, requests: BenchRequest[]) => {
      const sides = ports.map(
        (port) => (milliseconds: number) => load({ port, requests, connections: CONNECTIONS, milliseconds }),
      );
      return toFindings(what, await measureInTurn(sides, pace === QUICK_PACE ? QUICK_ROUNDS : ROUNDS));
    };
    return [
      ...(await measure(
        'me',
        sample.tokens.map((token) => get('/api/v1/me', token)),
      )),
      ...(await measure('list of 20 users', [get('/api/v1/users?limit=20', ADMIN_TOKEN)])),
    ];
  });
}

/** Starts processes on one port, and returns it. */
async function startProcesses(stage: Stage, url: string, processes: number): Promise<number> {
  const port = await findFreePort();
  const environment = {
    ...createServiceEnvironment(join(stage.directory, 'service')),
    SECRET_KEY: 'the-common-secret-of-all-nodes-of-a-database',
    DATABASE_URL: url,
    DATABASE_POOL: '8',
    PORT: String(port),
    REUSE_PORT: 'on',
    LOAD_SHEDDING_MS: 'off',
  };
  for (let index = 0; index < processes; index++) {
    const command = HAS_CORES ? SERVICE : limitCpu(SERVICE, `${processes}-${index}`, SHARE);
    await stage.server(command, environment, ANY_CORE);
  }
  return port;
}

function toFindings(what: string, results: LoadResult[][]): Finding[] {
  return SIDES.map(({ processes, atLeast }, side) => {
    const perRound = ratios(rates(results[side]!), rates(results[0]!));
    const figures = {
      '/s': median(rates(results[side]!)),
      'p99 ms': median(p99s(results[side]!)),
      ratio: median(perRound),
      'per round': perRound,
      'load busy': Math.max(...results[side]!.map(({ busy }) => busy)),
    };
    const target = atLeast === null ? null : { figure: 'ratio', atLeast };
    const share = HAS_CORES ? '' : ` with ${SHARE} cores each`;
    const title = `${what}: ${processes} ${processes === 1 ? 'process' : 'processes'}${share}`;
    return { bench: 'processes', what: title, figures, target };
  });
}

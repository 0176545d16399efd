/** Compares logins and registrations with the hash alone, and measures how much logins delay reads. */
import { join } from 'node:path';
import type { BenchOptions } from '../benches.ts';
import type { ConstantRateJob } from '../load/constant-rate.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { type BenchRequest, createRegistrations, get, PASSWORD, post } from '../load/requests.ts';
import { type Measure, measureInTurn, type Pace } from '../load/rounds.ts';
import { median, p50s, p99s, rates, ratios } from '../load/statistics.ts';
import { createEmail, populate, type Sample } from '../processes/seed.ts';
import {
  ANY_CORE,
  createServiceEnvironment,
  SERVICE,
  type Server,
  type Stage,
  withStage,
} from '../processes/stage.ts';
import type { HashJob } from '../references/raw-hash.ts';

const USERS = 1_000;
const CONCURRENCY = 32;
const MIN_RATIO = 0.95;
const ME_PER_SECOND = 1_000;
const ME_CONNECTIONS = 64;
const MAX_SLOWDOWN = 5;

const logins = Array.from({ length: USERS }, (_, number) =>
  post('/api/login', { email: createEmail(number), password: PASSWORD }),
);

/** Measures logins and registrations beside the same number of hashes, and `me` during logins. */
export function measurePasswords({ pace }: BenchOptions): Promise<Finding[]> {
  return withStage(async (stage) => {
    const directory = join(stage.directory, 'service');
    const sample = await populate(directory, USERS);
    // No rejections, and any core, because hashing uses all of them.
    const patience = { LOAD_SHEDDING_MS: 'off', PASSWORD_MAX_WAIT_MS: '60000' };
    const environment = { ...createServiceEnvironment(directory), ...patience };
    const service = await stage.server(SERVICE, environment, ANY_CORE);
    return [
      await compareToHashing(stage, pace, { service, what: 'login', requests: () => logins }),
      await compareToHashing(stage, pace, { service, what: 'registration', requests: createRegistrations() }),
      await measureResponsiveness(stage, pace, { service, sample }),
    ];
  });
}

/** Each request needs one hash. */
async function compareToHashing(
  stage: Stage,
  pace: Pace,
  { service, what, requests }: { service: Server; what: string; requests: () => BenchRequest[] },
): Promise<Finding> {
  const hashing = stage.helper<HashJob, LoadResult>('references/raw-hash.ts', ANY_CORE);
  const load = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
  const { port } = service;
  const sides: Measure<LoadResult>[] = [
    (milliseconds) => hashing({ milliseconds }),
    (milliseconds) => load({ port, requests: requests(), connections: CONCURRENCY, milliseconds }),
  ];
  const [hashes = [], responses = []] = await measureInTurn(sides, pace.long);
  const perRound = ratios(rates(responses), rates(hashes));
  const figures = {
    'argon2id/s': median(rates(hashes)),
    'service/s': median(rates(responses)),
    ratio: median(perRound),
    'per round': perRound,
    'p50 ms': median(p50s(responses)),
    'p99 ms': median(p99s(responses)),
    MB: service.memory(),
  };
  const target = { figure: 'ratio', atLeast: MIN_RATIO };
  return { bench: 'passwords', what: `${what}, ${CONCURRENCY} at a time`, figures, target };
}

/** Measures `me` at a constant rate, without and with logins at the same time. */
async function measureResponsiveness(
  stage: Stage,
  pace: Pace,
  { service: { port }, sample }: { service: Server; sample: Sample },
): Promise<Finding> {
  const requests = sample.tokens.map((token) => get('/api/v1/me', token));
  const reading = stage.helper<ConstantRateJob, LoadResult>('load/constant-rate.ts', ANY_CORE);
  const loggingIn = stage.helper<Job, LoadResult>('load/load.ts', ANY_CORE);
  const idle: Measure<LoadResult> = (milliseconds) =>
    reading({ port, requests, connections: ME_CONNECTIONS, milliseconds, perSecond: ME_PER_SECOND });
  const busy: Measure<LoadResult> = async (milliseconds) => {
    const job = { port, requests: logins, connections: CONCURRENCY, milliseconds };
    const [result] = await Promise.all([idle(milliseconds), loggingIn(job)]);
    return result;
  };
  const [quiet = [], loaded = []] = await measureInTurn([idle, busy], pace.long);
  const perRound = ratios(p99s(loaded), p99s(quiet));
  const figures = {
    'idle p99 ms': median(p99s(quiet)),
    'p50 ms': median(p50s(loaded)),
    'p99 ms': median(p99s(loaded)),
    'p99 ratio': median(perRound),
    'per round': perRound,
  };
  const what = `me, ${ME_PER_SECOND} a second, under ${CONCURRENCY} logins`;
  return { bench: 'passwords', what, figures, target: { figure: 'p99 ratio', atMost: MAX_SLOWDOWN } };
}

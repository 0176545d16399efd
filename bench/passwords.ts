/** Compares logins and registrations with the hash alone, and measures how much logins delay reads. */
import { join } from 'node:path';
import type { Finding } from './findings.ts';
import type { Outcome } from './jobs.ts';
import type { Job } from './load.ts';
import type { HashJob } from './raw-hash.ts';
import { type BenchRequest, get, newRegistrations, PASSWORD, post } from './requests.ts';
import { inTurn, type Measure, type Pace } from './rounds.ts';
import { emailOf, populate } from './seed.ts';
import { ANY_CORE, SERVICE, type Stage, serviceEnvironment, withStage } from './stage.ts';
import { median, p50s, p99s, rates, ratios } from './statistics.ts';
import type { SteadyJob } from './steady-client.ts';

const USERS = 1_000;
const CONCURRENCY = 32;
const MIN_RATIO = 0.95;
const ME_PER_SECOND = 1_000;
const ME_CONNECTIONS = 64;
const MAX_SLOWDOWN = 5;

const logins = Array.from({ length: USERS }, (_, number) =>
  post('/api/login', { email: emailOf(number), password: PASSWORD }),
);

export function measureLogins(pace: Pace): Promise<Finding[]> {
  return compareToHashing(pace, { bench: 'login', kind: 'verify', requests: () => logins });
}

export function measureRegistrations(pace: Pace): Promise<Finding[]> {
  return compareToHashing(pace, { bench: 'register', kind: 'hash', requests: newRegistrations() });
}

/** Hashing uses all cores, so nothing is pinned here. */
async function startService(stage: Stage) {
  const directory = join(stage.directory, 'service');
  const sample = await populate(directory, USERS);
  const service = await stage.server(SERVICE, serviceEnvironment(directory), ANY_CORE);
  return { service, sample };
}

interface HashingBench {
  readonly bench: string;
  /** The kind of hashing that one request needs. */
  readonly kind: HashJob['kind'];
  requests(): readonly BenchRequest[];
}

function compareToHashing(pace: Pace, { bench, kind, requests }: HashingBench): Promise<Finding[]> {
  return withStage(async (stage) => {
    const { service } = await startService(stage);
    const hashing = stage.helper<HashJob, Outcome>('raw-hash.ts', ANY_CORE);
    const load = stage.helper<Job, Outcome>('load.ts', ANY_CORE);
    const { port } = service;
    const sides: Measure<Outcome>[] = [
      (milliseconds) => hashing({ kind, milliseconds }),
      (milliseconds) => load({ port, requests: requests(), connections: CONCURRENCY, milliseconds }),
    ];
    const [hashes = [], responses = []] = await inTurn(sides, pace.long);
    return [hashingRatio(bench, { hashes, responses, memory: service.memory() })];
  });
}

interface HashingFigures {
  readonly hashes: readonly Outcome[];
  readonly responses: readonly Outcome[];
  readonly memory: number;
}

function hashingRatio(bench: string, { hashes, responses, memory }: HashingFigures): Finding {
  const perRound = ratios(rates(responses), rates(hashes));
  return {
    bench,
    what: `${bench}, ${CONCURRENCY} at a time`,
    figures: {
      'argon2id/s': median(rates(hashes)),
      'service/s': median(rates(responses)),
      ratio: median(perRound),
      'per round': perRound,
      'p50 ms': median(p50s(responses)),
      'p99 ms': median(p99s(responses)),
      MB: memory,
    },
    target: { figure: 'ratio', atLeast: MIN_RATIO },
  };
}

/** Measures `me` at a constant rate, without and with logins at the same time. */
export function measureResponsiveness(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const { service, sample } = await startService(stage);
    const { port } = service;
    const requests = sample.tokens.map((token) => get('/api/v1/me', token));
    const reading = stage.helper<SteadyJob, Outcome>('steady-load.ts', ANY_CORE);
    const loggingIn = stage.helper<Job, Outcome>('load.ts', ANY_CORE);
    const idle: Measure<Outcome> = (milliseconds) =>
      reading({ port, requests, connections: ME_CONNECTIONS, milliseconds, perSecond: ME_PER_SECOND });
    const busy: Measure<Outcome> = async (milliseconds) => {
      const job = { port, requests: logins, connections: CONCURRENCY, milliseconds };
      const [outcome] = await Promise.all([idle(milliseconds), loggingIn(job)]);
      return outcome;
    };
    const [quiet = [], loaded = []] = await inTurn([idle, busy], pace.long);
    return [slowdown(quiet, loaded)];
  });
}

function slowdown(quiet: Outcome[], loaded: Outcome[]): Finding {
  const perRound = ratios(p99s(loaded), p99s(quiet));
  return {
    bench: 'responsive',
    what: `me, ${ME_PER_SECOND} a second, under ${CONCURRENCY} logins`,
    figures: {
      'idle p50 ms': median(p50s(quiet)),
      'idle p99 ms': median(p99s(quiet)),
      'p50 ms': median(p50s(loaded)),
      'p99 ms': median(p99s(loaded)),
      'p99 ratio': median(perRound),
      'per round': perRound,
    },
    target: { figure: 'p99 ratio', atMost: MAX_SLOWDOWN },
  };
}

/** Logins and registrations beside nothing but their hash, and what a reader feels of them. */
import { join } from 'node:path';
import type { Finding } from './findings.ts';
import type { Job, Outcome } from './load.ts';
import type { HashJob } from './raw-hash.ts';
import { get, newRegistrations, PASSWORD, post } from './requests.ts';
import { inTurn, type Measure, median, p50s, p99s, rates, ratios } from './rounds.ts';
import { emailOf, populate } from './seed.ts';
import { openStage, SERVICE, type Stage, serviceEnvironment } from './stage.ts';

const USERS = 1_000;
const AT_A_TIME = 32;
const MIN_RATIO = 0.95;
const ME_PER_SECOND = 1_000;
const ME_CONNECTIONS = 64;
const MAX_SLOWDOWN = 5;

const logins = Array.from({ length: USERS }, (_, number) =>
  post('/api/login', { email: emailOf(number), password: PASSWORD }),
);

export function measureLogins(): Promise<Finding[]> {
  return besideHashing('login', 'verify', () => logins);
}

export function measureRegistrations(): Promise<Finding[]> {
  return besideHashing('register', 'hash', newRegistrations());
}

/** Hashing takes every core that there is: nothing is pinned here. */
async function startService(stage: Stage) {
  const directory = join(stage.directory, 'service');
  const people = await populate(directory, USERS);
  const service = await stage.server(SERVICE, serviceEnvironment(directory), { pinned: false });
  return { service, people };
}

async function besideHashing(
  bench: string,
  kind: HashJob['kind'],
  requests: () => string[],
): Promise<Finding[]> {
  const stage = openStage();
  try {
    const { service } = await startService(stage);
    const hashing = stage.measurer<HashJob, Outcome>('raw-hash.ts', { pinned: false });
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: false });
    const { port } = service;
    const [below, above] = await inTurn([
      (milliseconds) => hashing({ kind, milliseconds }),
      (milliseconds) =>
        load({ port, requests: requests(), connections: AT_A_TIME, milliseconds, perSecond: null }),
    ]);
    return [beside(bench, below!, above!, service.memory())];
  } finally {
    await stage.close();
  }
}

function beside(bench: string, hashing: Outcome[], service: Outcome[], memory: number): Finding {
  const perRound = ratios(rates(service), rates(hashing));
  return {
    bench,
    what: `${bench}, ${AT_A_TIME} at a time`,
    figures: {
      'argon2id/s': median(rates(hashing)),
      'service/s': median(rates(service)),
      ratio: median(perRound),
      'per round': perRound,
      'p50 ms': median(p50s(service)),
      'p99 ms': median(p99s(service)),
      MB: memory,
    },
    target: { figure: 'ratio', atLeast: MIN_RATIO },
  };
}

/** `me` at a steady rate, sent by the clock so that a pause of the server is felt by all that fall into it. */
export async function measureResponsiveness(): Promise<Finding[]> {
  const stage = openStage();
  try {
    const { service, people } = await startService(stage);
    const { port } = service;
    const requests = people.tokens.map((token) => get('/api/v1/me', token));
    const reading = stage.measurer<Job, Outcome>('load.ts', { pinned: false });
    const loggingIn = stage.measurer<Job, Outcome>('load.ts', { pinned: false });
    const idle: Measure = (milliseconds) =>
      reading({ port, requests, connections: ME_CONNECTIONS, milliseconds, perSecond: ME_PER_SECOND });
    const busy: Measure = async (milliseconds) => {
      const job = { port, requests: logins, connections: AT_A_TIME, milliseconds, perSecond: null };
      const [outcome] = await Promise.all([idle(milliseconds), loggingIn(job)]);
      return outcome;
    };
    const [quiet, pressed] = await inTurn([idle, busy]);
    return [slowdown(quiet!, pressed!)];
  } finally {
    await stage.close();
  }
}

function slowdown(quiet: Outcome[], pressed: Outcome[]): Finding {
  const perRound = ratios(p99s(pressed), p99s(quiet));
  return {
    bench: 'responsive',
    what: `me, ${ME_PER_SECOND} a second, under ${AT_A_TIME} logins`,
    figures: {
      'idle p50 ms': median(p50s(quiet)),
      'idle p99 ms': median(p99s(quiet)),
      'p50 ms': median(p50s(pressed)),
      'p99 ms': median(p99s(pressed)),
      'p99 ratio': median(perRound),
      'per round': perRound,
    },
    target: { figure: 'p99 ratio', atMost: MAX_SLOWDOWN },
  };
}

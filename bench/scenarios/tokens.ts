/** Cost of `me` with a million tokens. */
import { join } from 'node:path';
import { type CostedResult, cpuTimes, measureServer } from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { get } from '../load/requests.ts';
import { measureInTurn, type Pace } from '../load/rounds.ts';
import { median, ratios } from '../load/statistics.ts';
import { populate, type Sample } from '../processes/seed.ts';
import { SERVICE, type Server, type Stage, serviceEnvironment, withStage } from '../processes/stage.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 5;
const MAX_SLOWDOWN = 1.2;

/** Compares `me` with a million tokens in the table to `me` with a thousand. */
export function measureTokens(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const few = await serve(stage, FEW);
    const many = await serve(stage, MANY);
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const requests = ({ tokens }: Sample) => sampleTokens(tokens).map((token) => get('/api/v1/me', token));
    const sides = [few, many].map(({ server, sample }) => measureServer(load, server, requests(sample)));
    const [short = [], long = []] = await measureInTurn(sides, { ...pace.long, rounds: ROUNDS });
    return [compareTokens(short, long)];
  });
}

function compareTokens(short: CostedResult[], long: CostedResult[]): Finding {
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

/** Returns a thousand tokens from the whole table. */
export function sampleTokens(tokens: readonly string[]): string[] {
  const step = Math.ceil(tokens.length / FEW);
  return tokens.filter((_, index) => index % step === 0);
}

interface Populated {
  readonly server: Server;
  readonly sample: Sample;
}

async function serve(stage: Stage, users: number): Promise<Populated> {
  const directory = join(stage.directory, String(users));
  const sample = await populate(directory, users);
  return { server: await stage.server(SERVICE, serviceEnvironment(directory)), sample };
}

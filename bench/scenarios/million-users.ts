/** Cost of reads in a table of a million users, compared to a table of a thousand. */
import { join } from 'node:path';
import { type CostedResult, getCpuTimes, measureServer } from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, get } from '../load/requests.ts';
import { measureInTurn, type Pace } from '../load/rounds.ts';
import { median, p50s, p99s, ratios } from '../load/statistics.ts';
import { populate, seed } from '../processes/seed.ts';
import { createServiceEnvironment, SERVICE, type Server, type Stage, withStage } from '../processes/stage.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const DEPTH_ROUNDS = 3;
const TOKEN_ROUNDS = 5;
const MAX_SLOWDOWN = 1.2;
/** Different cursors used in turn around one depth. */
const NEIGHBOURS = 8;

const seedUsers = (directory: string, users: number) => seed(directory, { users });

/** Measures the first, middle and last page of a million users, compared to the same pages of a thousand. */
export function measureDepth(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const { server: few } = await startService(stage, FEW, seedUsers);
    const { server: many } = await startService(stage, MANY, seedUsers);
    const paths = { few: await findPages(few, 20), many: await findPages(many, 100) };
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const findings: Finding[] = [];
    for (const depth of ['first', 'middle', 'last'] as const) {
      const sides = [
        measureServer(load, few, paths.few[depth]),
        measureServer(load, many, paths.many[depth]),
      ];
      const results = await measureInTurn(sides, { ...pace.long, rounds: DEPTH_ROUNDS });
      findings.push(toFinding('depth', `${depth} page of ${MANY.toLocaleString('en')} users`, results));
    }
    return findings;
  });
}

/** Measures `me` with a million tokens in the table, compared to `me` with a thousand. */
export function measureTokens(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const services = [await startService(stage, FEW, populate), await startService(stage, MANY, populate)];
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const sides = services.map(({ server, sample }) => {
      const requests = sampleTokens(sample.tokens).map((token) => get('/api/v1/me', token));
      return measureServer(load, server, requests);
    });
    const results = await measureInTurn(sides, { ...pace.long, rounds: TOKEN_ROUNDS });
    return [toFinding('tokens', `me, by one of ${MANY.toLocaleString('en')} tokens`, results)];
  });
}

/** Returns a thousand tokens from the whole table. */
export function sampleTokens(tokens: readonly string[]): string[] {
  const step = Math.ceil(tokens.length / FEW);
  return tokens.filter((_, index) => index % step === 0);
}

interface SeededService<T> {
  readonly server: Server;
  readonly sample: T;
}

type Fill<T> = (directory: string, users: number) => Promise<T>;

async function startService<T>(stage: Stage, users: number, fill: Fill<T>): Promise<SeededService<T>> {
  const directory = join(stage.directory, String(users));
  const sample = await fill(directory, users);
  return { server: await stage.server(SERVICE, createServiceEnvironment(directory)), sample };
}

/** Follows the cursors of the whole list in pages of `limit`. Returns requests for pages of 20 at each depth. */
async function findPages({ port }: Server, limit: number) {
  const cursors: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const url = `http://127.0.0.1:${port}/api/v1/users?limit=${limit}${query}`;
    const page = (await (await fetch(url, { headers })).json()) as { next_cursor: string | null };
    cursor = page.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  const toRequest = (cursor: string) => get(`/api/v1/users?limit=20&cursor=${cursor}`, ADMIN_TOKEN);
  const middle = Math.floor(cursors.length / 2);
  return {
    first: [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
    middle: cursors.slice(middle, middle + NEIGHBOURS).map(toRequest),
    // Without the very last page, which has no cursor for a next one.
    last: cursors.slice(-NEIGHBOURS - 1, -1).map(toRequest),
  };
}

function toFinding(bench: string, what: string, [short = [], long = []]: CostedResult[][]): Finding {
  const perRound = ratios(getCpuTimes(long), getCpuTimes(short));
  return {
    bench,
    what,
    figures: {
      'of 1,000 cpu µs': median(getCpuTimes(short)),
      'of 1,000,000 cpu µs': median(getCpuTimes(long)),
      'time ratio': median(perRound),
      'per round': perRound,
      'p50 ms': median(p50s(long)),
      'p99 ms': median(p99s(long)),
    },
    target: { figure: 'time ratio', atMost: MAX_SLOWDOWN },
  };
}

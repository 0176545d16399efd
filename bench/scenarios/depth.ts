/** Compares the cost of a page in a short and in a long list, at three depths. */
import { join } from 'node:path';
import { type CostedResult, cpuTimes, measureServer } from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, get } from '../load/requests.ts';
import { measureInTurn, type Pace } from '../load/rounds.ts';
import { median, p50s, p99s, ratios } from '../load/statistics.ts';
import { seed } from '../processes/seed.ts';
import { SERVICE, type Server, type Stage, serviceEnvironment, withStage } from '../processes/stage.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 3;
const MAX_SLOWDOWN = 1.2;
/** Different cursors used in turn around one depth. */
const NEIGHBOURS = 8;

/** Measures the first, middle and last page of a million users, compared to the same pages of a thousand. */
export function measureDepth(pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const few = await serve(stage, FEW);
    const many = await serve(stage, MANY);
    const paths = { few: await findPages(few, 20), many: await findPages(many, 100) };
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const findings: Finding[] = [];
    for (const depth of ['first', 'middle', 'last'] as const) {
      const sides = [
        measureServer(load, few, paths.few[depth]),
        measureServer(load, many, paths.many[depth]),
      ];
      const [short = [], long = []] = await measureInTurn(sides, { ...pace.long, rounds: ROUNDS });
      findings.push(compare(depth, short, long));
    }
    return findings;
  });
}

async function serve(stage: Stage, users: number): Promise<Server> {
  const directory = join(stage.directory, String(users));
  await seed(directory, users);
  return stage.server(SERVICE, serviceEnvironment(directory));
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
  const request = (cursor: string) => get(`/api/v1/users?limit=20&cursor=${cursor}`, ADMIN_TOKEN);
  const middle = Math.floor(cursors.length / 2);
  return {
    first: [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
    middle: cursors.slice(middle, middle + NEIGHBOURS).map(request),
    // Without the very last page, which has no cursor for a next one.
    last: cursors.slice(-NEIGHBOURS - 1, -1).map(request),
  };
}

function compare(depth: string, short: CostedResult[], long: CostedResult[]): Finding {
  const perRound = ratios(cpuTimes(long), cpuTimes(short));
  return {
    bench: 'depth',
    what: `${depth} page of ${MANY.toLocaleString('en')} users`,
    figures: {
      'of 1,000 cpu µs': median(cpuTimes(short)),
      'of 1,000,000 cpu µs': median(cpuTimes(long)),
      'time ratio': median(perRound),
      'per round': perRound,
      'p50 ms': median(p50s(long)),
      'p99 ms': median(p99s(long)),
    },
    target: { figure: 'time ratio', atMost: MAX_SLOWDOWN },
  };
}

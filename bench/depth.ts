/** Whether a page of the list costs the same in a long list, and wherever it is in it. */
import { join } from 'node:path';
import type { Finding } from './findings.ts';
import type { Job, Outcome } from './load.ts';
import { ADMIN_TOKEN, get } from './requests.ts';
import { inTurn, type Measure, median, p50s, p99s, rates, ratios } from './rounds.ts';
import { seed } from './seed.ts';
import { openStage, SERVICE, type Server, type Stage, serviceEnvironment } from './stage.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const CONNECTIONS = 48;
const ROUNDS = 3;
const MAX_SLOWDOWN = 1.2;
/** Cursors used in turn around one depth. */
const NEIGHBOURS = 8;

export async function measureDepth(): Promise<Finding[]> {
  const stage = openStage();
  try {
    const few = await serve(stage, FEW);
    const many = await serve(stage, MANY);
    const paths = { few: await pages(few, 20), many: await pages(many, 100) };
    const load = stage.measurer<Job, Outcome>('load.ts', { pinned: true });
    const measure = ({ port }: Server, requests: string[]): Measure => {
      return (milliseconds) =>
        load({ port, requests, connections: CONNECTIONS, milliseconds, perSecond: null });
    };
    const findings: Finding[] = [];
    for (const depth of ['first', 'middle', 'last'] as const) {
      const sides = [measure(few, paths.few[depth]), measure(many, paths.many[depth])];
      const [short, long] = await inTurn(sides, ROUNDS);
      findings.push(compared(depth, short!, long!));
    }
    return findings;
  } finally {
    await stage.close();
  }
}

async function serve(stage: Stage, users: number): Promise<Server> {
  const directory = join(stage.directory, String(users));
  await seed(directory, users);
  return stage.server(SERVICE, serviceEnvironment(directory), { pinned: true });
}

/** Walks the whole list in steps of `step` and gives requests for pages of 20 at three depths. */
async function pages({ port }: Server, step: number) {
  const cursors: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const url = `http://127.0.0.1:${port}/api/v1/users?limit=${step}${query}`;
    const page = (await (await fetch(url, { headers })).json()) as { next_cursor: string | null };
    cursor = page.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  const request = (cursor: string) => get(`/api/v1/users?limit=20&cursor=${cursor}`, ADMIN_TOKEN);
  const middle = Math.floor(cursors.length / 2);
  return {
    first: [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
    middle: cursors.slice(middle, middle + NEIGHBOURS).map(request),
    // Without the very last, which has no next page to name.
    last: cursors.slice(-NEIGHBOURS - 1, -1).map(request),
  };
}

function compared(depth: string, short: Outcome[], long: Outcome[]): Finding {
  const perRound = ratios(rates(short), rates(long));
  return {
    bench: 'depth',
    what: `${depth} page of ${MANY.toLocaleString('en')} users`,
    figures: {
      'of 1,000 /s': median(rates(short)),
      'of 1,000,000 /s': median(rates(long)),
      'time ratio': median(perRound),
      'per round': perRound,
      'p50 ms': median(p50s(long)),
      'p99 ms': median(p99s(long)),
    },
    target: { figure: 'time ratio', atMost: MAX_SLOWDOWN },
  };
}

/** Reads of 2,000,000 events of 100,000 users, on both engines. */
import type { BenchOptions } from '../benches.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, type BenchRequest, get, timeRequests } from '../load/requests.ts';
import { QUICK_PACE } from '../load/rounds.ts';
import { median } from '../load/statistics.ts';
import { measureOnEngines } from '../processes/engines.ts';
import type { Sample } from '../processes/seed.ts';
import { AGE_DAYS, seedEvents } from '../processes/seed-events.ts';

const USERS = 100_000;
const TOKENS = 1_000;
const EVENTS = 2_000_000;
const QUICK_EVENTS = 200_000;
const ROUNDS = 15;
/** Compile code and statements. */
const WARM_UP_ROUNDS = 3;
const MAX_MS = 20;
const DAY_MS = 86_400_000;

export function measureEvents({ pace }: BenchOptions): Promise<Finding[]> {
  const events = pace === QUICK_PACE ? QUICK_EVENTS : EVENTS;
  return measureOnEngines({ users: USERS, tokens: TOKENS }, async (seeded) => {
    await seedEvents(seeded, events, USERS);
    // Each read is measured, also on a machine that has other work.
    const port = await seeded.start({ LOAD_SHEDDING_MS: 'off' });
    const findings: Finding[] = [];
    for (const [what, read] of Object.entries(createReads(seeded.sample)))
      findings.push(await timeRead(port, `${seeded.engine}: ${what}`, read));
    return findings;
  });
}

async function timeRead(port: number, what: string, read: (round: number) => BenchRequest): Promise<Finding> {
  const { times } = await timeRequests(port, read, { warmUp: WARM_UP_ROUNDS, rounds: ROUNDS });
  const figures = { 'median ms': median(times), 'max ms': Math.max(...times), 'per round': times };
  return { bench: 'events', what, figures, target: { figure: 'max ms', atMost: MAX_MS } };
}

/** Returns the reads by name: pages with each filter in both orders, and the lists of users. */
function createReads({ ids, tokens }: Sample): Record<string, (round: number) => BenchRequest> {
  const lists = Object.entries(createFilters(ids)).flatMap(([what, filter]) =>
    ['-time', 'time'].map((order) => {
      const query = new URLSearchParams({ ...filter, order, limit: '100' });
      return [`${what}, ${order}`, () => get(`/api/v1/events?${query}`, ADMIN_TOKEN)] as const;
    }),
  );
  return {
    ...Object.fromEntries(lists),
    'own events': (round) => get('/api/v1/me/events', tokens[round]),
  };
}

function createFilters(ids: readonly string[]): Record<string, Record<string, string>> {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  return {
    'no filter': {},
    'a frequent type': { type: 'login.succeeded' },
    'a rare type': { type: 'users.exported' },
    'an absent type': { type: 'webhook.deleted' },
    'a user': { subject: `user:${ids[0]}` },
    'an absent actor': { actor: 'system' },
    'another user as actor': { actor: `user:${ids[500]}` },
    failures: { outcome: 'failure' },
    'a day': { from: daysAgo(AGE_DAYS / 2), to: daysAgo(AGE_DAYS / 2 - 1) },
    'filters without a match': { type: 'login.succeeded', actor: 'administrator', outcome: 'failure' },
  };
}

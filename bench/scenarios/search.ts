/** Search, filters and orders of a million users with metadata, on both engines: the first page of each. */
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, get, timeRequests } from '../load/requests.ts';
import { median } from '../load/statistics.ts';
import { measureOnEngines } from '../processes/engines.ts';

const USERS = 1_000_000;
const ROUNDS = 9;
const MAX_MS = 200;

/** Queries by what they show. Emails are `person-0000000@example.com`, names `Person 0`. */
const QUERIES: Readonly<Record<string, string>> = {
  'all users, newest first': 'sort=-created_at',
  'all users, by last login': 'sort=-last_login_at',
  'search of a rare word': 'search=0123456',
  'search of a word that 1,000 users have': 'search=0123',
  'search of a word that 10,000 users have': 'search=012',
  'search of a word that all users have': 'search=%40example.com',
  'search of a word that nobody has': 'search=nobody',
  'search of a part of a word that one user has': 'search=erson-0123456',
  'search of a part of a word that 300 users have': 'search=23456',
  'search of a part of a word that 30,000 users have, by name': 'search=999&sort=-name',
  'search of a part of a word that all users have': 'search=xample.co',
  'search of trigrams that thousands have, in a text that nobody has': 'search=00000000&sort=email',
  'search of 10,000 users that are last in the order': 'search=099&sort=email',
  'metadata that 100 users have': 'metadata=app_metadata.customer:customer-4242',
  'metadata that 100,000 users have': 'metadata=app_metadata.plan:pro&sort=name',
  'metadata that nobody has': 'metadata=app_metadata.plan:none',
  'all filters': `search=person&level=member&state=active&verified=true&last_login_to=2100-01-01&created_from=2000-01-01&metadata=app_metadata.plan%3Afree&sort=name`,
};

export function measureSearch(): Promise<Finding[]> {
  return measureOnEngines({ users: USERS, tokens: 0, hasMetadata: true }, async ({ engine, start }) =>
    timeQueries(engine, await start({})),
  );
}

async function timeQueries(engine: string, port: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, query] of Object.entries(QUERIES)) {
    const request = get(`/api/v1/users?${query}`, ADMIN_TOKEN);
    const { first, times } = await timeRequests(port, () => request, { warmUp: 1, rounds: ROUNDS });
    findings.push({
      bench: 'search',
      what: `${engine}: ${what}`,
      figures: { 'median ms': median(times), 'first ms': first, 'per round': times },
      target: { figure: 'median ms', atMost: MAX_MS },
    });
  }
  return findings;
}

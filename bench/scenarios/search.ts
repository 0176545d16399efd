/**
 * Search, filters and orders of a million users with metadata, on both engines: the first page, and the page that reads
 * most.
 */
import { join } from 'node:path';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, get } from '../load/requests.ts';
import type { Pace } from '../load/rounds.ts';
import { median } from '../load/statistics.ts';
import { METADATA_INDEX } from '../processes/metadata.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import { seed } from '../processes/seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, withStage } from '../processes/stage.ts';

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

/** Measures the search on SQLite. */
export function measureSearch(_pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const dataDir = join(stage.directory, 'service');
    await seed(dataDir, { users: USERS, hasMetadata: true });
    const environment = { ...createServiceEnvironment(dataDir), METADATA_INDEX };
    const { port } = await stage.server(SERVICE, environment, ANY_CORE);
    return timeQueries('search', port);
  });
}

/** Measures the same on PostgreSQL. */
export function measureSearchPostgres(_pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const postgres = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url } = await postgres({ users: USERS, tokens: 0, hasMetadata: true });
    const settings = { ...createServiceEnvironment(join(stage.directory, 'service')), METADATA_INDEX };
    const environment = { ...settings, DATABASE_URL: url };
    const { port } = await stage.server(SERVICE, environment, ANY_CORE);
    return timeQueries('search-postgres', port);
  });
}

async function timeQueries(bench: string, port: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, query] of Object.entries(QUERIES)) {
    const { path, headers } = get(`/api/v1/users?${query}`, ADMIN_TOKEN);
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const began = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      times.push(performance.now() - began);
    }
    // The first request compiles statements.
    const [first = 0, ...rest] = times;
    findings.push({
      bench,
      what,
      figures: { 'median ms': median(rest), 'first ms': first, 'per round': rest },
      target: { figure: 'median ms', atMost: MAX_MS },
    });
  }
  return findings;
}

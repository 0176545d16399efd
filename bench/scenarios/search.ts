/**
 * Search, filters and orders of a million users with metadata, on both engines: the first page, the page that reads
 * most, and what the index of the search adds to the creation of users.
 */
import { join } from 'node:path';
import pg from 'pg';
import { sql } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Finding } from '../load/findings.ts';
import {
  ADMIN_TOKEN,
  type BenchRequest,
  createRegistrations,
  fetchResponse,
  get,
  post,
} from '../load/requests.ts';
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
    const [dataDir, withoutIndex] = [
      join(stage.directory, 'service'),
      join(stage.directory, 'without-index'),
    ];
    await seed(dataDir, { users: USERS, hasMetadata: true });
    await seed(withoutIndex, { users: USERS, hasMetadata: true });
    const copy = openDatabase({ databaseUrl: null, dataDir: withoutIndex, databasePool: 1 });
    for (const text of SKIP_TEXTS_SQLITE) await copy.transaction((tx) => tx.run(sql(text)));
    await copy.close();
    const start = (directory: string) =>
      stage.server(SERVICE, { ...createServiceEnvironment(directory), METADATA_INDEX }, ANY_CORE);
    const [{ port }, reference] = [await start(dataDir), await start(withoutIndex)];
    return [...(await timeQueries('search', port)), ...(await timeWrites('search', port, reference.port))];
  });
}

/** Measures the same on PostgreSQL. */
export function measureSearchPostgres(_pace: Pace): Promise<Finding[]> {
  return withStage(async (stage) => {
    const postgres = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url } = await postgres({ users: USERS, tokens: 0, hasMetadata: true });
    const withoutIndex = await copyWithoutIndex(url);
    const start = (databaseUrl: string) => {
      const settings = createServiceEnvironment(join(stage.directory, 'service'));
      return stage.server(SERVICE, { ...settings, METADATA_INDEX, DATABASE_URL: databaseUrl }, ANY_CORE);
    };
    const [{ port }, reference] = [await start(url), await start(withoutIndex)];
    return [
      ...(await timeQueries('search-postgres', port)),
      ...(await timeWrites('search-postgres', port, reference.port)),
    ];
  });
}

/** The same service without the index of the search: texts are not stored. */
const SKIP_TEXTS_SQLITE = [
  'drop trigger user_texts_insert',
  'create trigger skip before insert on user_texts begin select raise(ignore); end',
];
const SKIP_TEXTS_POSTGRES = `
  create function skip() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger skip before insert on user_texts for each row execute function skip()`;

/** Copies a database, and returns the URL of the copy. */
async function copyWithoutIndex(url: string): Promise<string> {
  const execute = async (name: string, text: string) => {
    const client = new pg.Client({ connectionString: new URL(name, url).href });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await execute('template1', `create database without_index template ${new URL(url).pathname.slice(1)}`);
  await execute('without_index', SKIP_TEXTS_POSTGRES);
  return new URL('without_index', url).href;
}

const WRITES = 300;
const MAX_WRITE_RATIO = 1.1;

/** Creates users with and without the index, in turn. */
async function timeWrites(bench: string, port: number, referencePort: number): Promise<Finding[]> {
  const registrations = createRegistrations()().slice(0, WRITES);
  const creations = Array.from({ length: WRITES }, (_, number) => {
    const { headers, ...request } = post('/api/v1/users', {
      name: `Elisabeth Hopper ${number}`,
      email: `elisabeth.hopper.${number}@example.org`,
    });
    return { ...request, headers: { ...headers, Authorization: `Bearer ${ADMIN_TOKEN}` } };
  });
  return [
    await timeInTurn(bench, { what: 'registration', requests: registrations, port, referencePort }),
    await timeInTurn(bench, {
      what: 'creation without a password',
      requests: creations,
      port,
      referencePort,
    }),
  ];
}

interface TimedWrites {
  readonly what: string;
  readonly requests: readonly BenchRequest[];
  readonly port: number;
  readonly referencePort: number;
}

async function timeInTurn(
  bench: string,
  { what, requests, port, referencePort }: TimedWrites,
): Promise<Finding> {
  const times: Record<number, number[]> = { [port]: [], [referencePort]: [] };
  for (const request of requests) {
    for (const each of [port, referencePort]) {
      times[each]!.push(await timeRequest(each, request));
    }
  }
  const [indexed, reference] = [median(times[port]!), median(times[referencePort]!)];
  const figures = { 'median ms': indexed, 'without index': reference, ratio: indexed / reference };
  return { bench, what, figures, target: { figure: 'ratio', atMost: MAX_WRITE_RATIO } };
}

async function timeQueries(bench: string, port: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, query] of Object.entries(QUERIES)) {
    const request = get(`/api/v1/users?${query}`, ADMIN_TOKEN);
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      times.push(await timeRequest(port, request));
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

/** Returns the milliseconds from the request to the last byte of the response. @throws if it is no success */
async function timeRequest(port: number, request: BenchRequest): Promise<number> {
  const began = performance.now();
  const response = await fetchResponse(port, request);
  await response.text();
  if (!response.ok) throw new Error(`${request.path}: ${response.status}`);
  return performance.now() - began;
}

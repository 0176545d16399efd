/** Compares the most frequent requests with the floor and with stock Fastify. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { CPU_RATIO, compareServers, costs, RATE_RATIO, ratio } from './comparison.ts';
import type { Finding } from './findings.ts';
import { createSqliteFloor } from './floor/tables.ts';
import type { PostgresJob, SeededPostgres } from './postgres.ts';
import { ADMIN_TOKEN, type BenchRequest, FORM, get, post } from './requests.ts';
import { inGroups, type Pace } from './rounds.ts';
import { populate, type Sample } from './seed.ts';
import {
  FLOOR,
  POSTGRES_FLOOR,
  SERVER_CORE,
  SERVICE,
  STOCK,
  type Stage,
  serviceEnvironment,
} from './stage.ts';

const USERS = 1_000;

interface Read {
  readonly what: string;
  /** Lowest accepted ratio to the floor and to stock Fastify. */
  readonly minOfFloor: number;
  readonly minOfStock: number;
  requests(sample: Sample): BenchRequest[];
}

/** Different users and tokens in turn, so that a cache of the last response would not help. */
export const reads = {
  form: {
    what: 'form-field check',
    minOfFloor: 0.55,
    minOfStock: 1.5,
    requests: () => [post('/api/v1/form-fields/validate', FORM)],
  },
  me: {
    what: 'me, by token',
    minOfFloor: 0.55,
    minOfStock: 1.5,
    requests: ({ tokens }) => tokens.map((token) => get('/api/v1/me', token)),
  },
  list: {
    what: 'list of 20 users',
    minOfFloor: 0.5,
    minOfStock: 1.2,
    requests: () => [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
  },
  user: {
    what: 'one user, by id',
    minOfFloor: 0.55,
    minOfStock: 1.5,
    requests: ({ ids }) => ids.map((id) => get(`/api/v1/users/${id}`, ADMIN_TOKEN)),
  },
} satisfies Record<string, Read>;

export type ReadName = keyof typeof reads;

/** Measures floor, stock Fastify and service on SQLite, each on its own copy of the same data. */
export async function measureRead(name: ReadName, pace: Pace): Promise<Finding[]> {
  const { what, minOfFloor, minOfStock, requests }: Read = reads[name];
  const [floor = [], stock = [], service = []] = await inGroups(pace, async (stage) => {
    const { servers, sample } = await startOnSqlite(stage);
    return compareServers(stage, servers, requests(sample));
  });
  const target = (atLeast: number) => ({ figure: CPU_RATIO, atLeast });
  return [
    costs(name, `${what}: floor`, floor),
    costs(name, `${what}: stock Fastify`, stock),
    costs(name, `${what}: service`, service),
    ratio(name, {
      what: `${what}: service to floor`,
      service,
      reference: floor,
      target: target(minOfFloor),
    }),
    ratio(name, {
      what: `${what}: service to stock Fastify`,
      service,
      reference: stock,
      target: target(minOfStock),
    }),
  ];
}

async function startOnSqlite(stage: Stage) {
  const directory = join(stage.directory, 'service');
  const sample = await populate(directory, USERS);
  const original = join(directory, 'frontdesk.db');
  const floorFile = join(stage.directory, 'floor.db');
  const stockFile = join(stage.directory, 'stock.db');
  createSqliteFloor(original, floorFile);
  copyFileSync(original, stockFile);
  const servers = [
    await stage.server(FLOOR, { DATABASE: floorFile, ADMIN_TOKEN }),
    await stage.server(STOCK, { DATABASE: stockFile, ADMIN_TOKEN }),
    await stage.server(SERVICE, serviceEnvironment(directory)),
  ];
  return { servers, sample };
}

const MIN_OF_POSTGRES_FLOOR = 0.65;

/**
 * Measures floor and service on one PostgreSQL server, which shares the core of the HTTP servers. So the rate covers
 * the work of both, and is the figure that counts; the processor time is that of the HTTP server alone.
 */
export async function measurePostgresRead(name: ReadName, pace: Pace): Promise<Finding[]> {
  const { requests }: Read = reads[name];
  const bench = `${name}-postgres`;
  const what = `${reads[name].what}, PostgreSQL`;
  const [floor = [], service = []] = await inGroups(pace, async (stage) => {
    const postgres = stage.helper<PostgresJob, SeededPostgres>('postgres.ts', SERVER_CORE);
    const { url, sample } = await postgres({ users: USERS, tokens: USERS });
    const environment = serviceEnvironment(join(stage.directory, 'service'));
    const servers = [
      await stage.server(POSTGRES_FLOOR, { DATABASE_URL: url, ADMIN_TOKEN }),
      await stage.server(SERVICE, { ...environment, DATABASE_URL: url }),
    ];
    return compareServers(stage, servers, requests(sample));
  });
  const target = { figure: RATE_RATIO, atLeast: MIN_OF_POSTGRES_FLOOR };
  return [
    costs(bench, `${what}: floor`, floor),
    costs(bench, `${what}: service`, service),
    ratio(bench, { what: `${what}: service to floor`, service, reference: floor, target }),
  ];
}

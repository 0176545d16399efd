/** Compares the most frequent requests with the floor and with stock Fastify. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { CPU_RATIO, compareServers, RATE_RATIO, toCostFinding, toRatioFinding } from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, type BenchRequest, FORM, get, post } from '../load/requests.ts';
import { measureInGroups, type Pace } from '../load/rounds.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import { populate, type Sample } from '../processes/seed.ts';
import {
  createServiceEnvironment,
  FLOOR,
  POSTGRES_FLOOR,
  SERVER_CORE,
  SERVICE,
  STOCK,
  type Stage,
} from '../processes/stage.ts';
import { createSqliteFloor } from '../references/floor/tables.ts';

const USERS = 1_000;

interface Read {
  readonly what: string;
  /** Lowest accepted ratio to the floor and to stock Fastify. */
  readonly minFloorRatio: number;
  readonly minStockRatio: number;
  requests(sample: Sample): BenchRequest[];
}

/** Different users and tokens in turn, so that a cache of the last response would not help. */
export const reads = {
  form: {
    what: 'form-field check',
    minFloorRatio: 0.55,
    minStockRatio: 1.5,
    requests: () => [post('/api/v1/form-fields/validate', FORM)],
  },
  me: {
    what: 'me, by token',
    minFloorRatio: 0.55,
    minStockRatio: 1.5,
    requests: ({ tokens }) => tokens.map((token) => get('/api/v1/me', token)),
  },
  list: {
    what: 'list of 20 users',
    minFloorRatio: 0.5,
    minStockRatio: 1.2,
    requests: () => [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
  },
  user: {
    what: 'one user, by id',
    minFloorRatio: 0.55,
    minStockRatio: 1.5,
    requests: ({ ids }) => ids.map((id) => get(`/api/v1/users/${id}`, ADMIN_TOKEN)),
  },
} satisfies Record<string, Read>;

export type ReadName = keyof typeof reads;

/** Measures floor, stock Fastify and service on SQLite, each on its own copy of the same data. */
export async function measureRead(name: ReadName, pace: Pace): Promise<Finding[]> {
  const { what, minFloorRatio, minStockRatio, requests }: Read = reads[name];
  const [floor = [], stock = [], service = []] = await measureInGroups(pace, async (stage) => {
    const { servers, sample } = await startOnSqlite(stage);
    return compareServers(stage, servers, requests(sample));
  });
  const target = (atLeast: number) => ({ figure: CPU_RATIO, atLeast });
  return [
    toCostFinding(name, `${what}: floor`, floor),
    toCostFinding(name, `${what}: stock Fastify`, stock),
    toCostFinding(name, `${what}: service`, service),
    toRatioFinding(name, {
      what: `${what}: service to floor`,
      service,
      reference: floor,
      target: target(minFloorRatio),
    }),
    toRatioFinding(name, {
      what: `${what}: service to stock Fastify`,
      service,
      reference: stock,
      target: target(minStockRatio),
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
    await stage.server(SERVICE, createServiceEnvironment(directory)),
  ];
  return { servers, sample };
}

const MIN_POSTGRES_FLOOR_RATIO = 0.65;

/**
 * Measures floor and service on one PostgreSQL server, which shares the core of the HTTP servers. So the rate covers
 * the work of both, and is the figure that counts; the processor time is that of the HTTP server alone.
 */
export async function measurePostgresRead(name: ReadName, pace: Pace): Promise<Finding[]> {
  const { requests }: Read = reads[name];
  const bench = `${name}-postgres`;
  const what = `${reads[name].what}, PostgreSQL`;
  const [floor = [], service = []] = await measureInGroups(pace, async (stage) => {
    const postgres = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', SERVER_CORE);
    const { url, sample } = await postgres({ users: USERS, tokens: USERS });
    const environment = createServiceEnvironment(join(stage.directory, 'service'));
    const servers = [
      await stage.server(POSTGRES_FLOOR, { DATABASE_URL: url, ADMIN_TOKEN }),
      await stage.server(SERVICE, { ...environment, DATABASE_URL: url }),
    ];
    return compareServers(stage, servers, requests(sample));
  });
  const target = { figure: RATE_RATIO, atLeast: MIN_POSTGRES_FLOOR_RATIO };
  return [
    toCostFinding(bench, `${what}: floor`, floor),
    toCostFinding(bench, `${what}: service`, service),
    toRatioFinding(bench, { what: `${what}: service to floor`, service, reference: floor, target }),
  ];
}

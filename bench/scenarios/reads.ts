/** Compares the most frequent requests with the floor, with stock Fastify and, if asked, with another checkout. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchOptions } from '../benches.ts';
import {
  assertSameResponses,
  type CostedResult,
  CPU_RATIO,
  measureServer,
  toCostFinding,
  toRatioFinding,
} from '../load/comparison.ts';
import type { Finding, Target } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, administer, type BenchRequest, FORM, get, post } from '../load/requests.ts';
import { measureInGroups } from '../load/rounds.ts';
import { populate, type Sample, SQLITE_FILE } from '../processes/seed.ts';
import {
  createServiceEnvironment,
  FLOOR,
  readStartCommand,
  SERVICE,
  type Server,
  STOCK,
  type Stage,
} from '../processes/stage.ts';
import { createSqliteFloor } from '../references/floor/tables.ts';

const USERS = 1_000;

/** A server, and what its requests need. */
interface Side {
  readonly server: Server;
  readonly sample: Sample;
  /** Named credential that may verify tokens; null for the references, which verify none. */
  readonly credential: string | null;
}

interface Read {
  /** For `--only`. */
  readonly name: string;
  readonly what: string;
  /** Lowest accepted ratio to stock Fastify. */
  readonly minRatio: number;
  requests(side: Side): BenchRequest[];
}

const me = ({ sample: { tokens } }: Side) => tokens.map((token) => get('/api/v1/me', token));

/** Different users and tokens in turn, so that a cache of the last response would not help. */
const READS: readonly Read[] = [
  { name: 'me', what: 'me, by token', minRatio: 1.6, requests: me },
  {
    name: 'list',
    what: 'list of 20 users',
    minRatio: 1.1,
    requests: () => [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
  },
  {
    name: 'form',
    what: 'form-field check',
    minRatio: 1.4,
    requests: () => [post('/api/v1/form-fields/validate', FORM)],
  },
  {
    name: 'verify',
    what: 'verification of one token (references: me)',
    minRatio: 0.95,
    requests: (side) =>
      side.credential === null
        ? me(side)
        : side.sample.tokens.map((token) => post('/api/v1/tokens/verify', { token }, side.credential!)),
  },
];

/** Measures floor, stock Fastify and service on SQLite, each on its own copy of the same data. */
export async function measureReads({ pace, beside, only }: BenchOptions): Promise<Finding[]> {
  const reads = READS.filter(({ name }) => only === undefined || only.includes(name));
  const names = ['floor', 'stock Fastify', 'service', ...(beside === undefined ? [] : [beside])];
  const results = await measureInGroups(pace, async (stage) => {
    const sides = await startReferences(stage);
    if (beside !== undefined) sides.push(await startService(stage, beside));
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const servers = sides.slice(0, 3).map(({ server }) => server);
    await Promise.all(
      READS.slice(0, -1).map((read) => assertSameResponses(servers, read.requests(sides[0]!)[0]!)),
    );
    return reads.flatMap((read) =>
      sides.map((side) => measureServer(load, side.server, { create: () => read.requests(side) })),
    );
  });
  return reads.flatMap((read, index) =>
    toFindings(read, names, results.slice(index * names.length, (index + 1) * names.length)),
  );
}

async function startReferences(stage: Stage): Promise<Side[]> {
  const directory = join(stage.directory, 'service');
  const sample = await populate(directory, USERS);
  const original = join(directory, SQLITE_FILE);
  const [floorFile, stockFile] = [join(stage.directory, 'floor.db'), join(stage.directory, 'stock.db')];
  createSqliteFloor(original, floorFile);
  copyFileSync(original, stockFile);
  const floor = await stage.server(FLOOR, { DATABASE: floorFile, ADMIN_TOKEN });
  const stock = await stage.server(STOCK, { DATABASE: stockFile, ADMIN_TOKEN });
  return [
    { server: floor, sample, credential: null },
    { server: stock, sample, credential: null },
    await toSide(await stage.server(SERVICE, createServiceEnvironment(directory)), sample),
  ];
}

/** Starts the service of another checkout, whose schema may differ, on data that its own bench seeds. */
async function startService(stage: Stage, checkout: string): Promise<Side> {
  const seeding = pathToFileURL(join(checkout, 'bench/processes/seed.ts')).href;
  const { populate: populateOther }: typeof import('../processes/seed.ts') = await import(seeding);
  const directory = join(stage.directory, 'beside');
  const sample = await populateOther(directory, USERS);
  const server = await stage.server(readStartCommand(checkout), createServiceEnvironment(directory));
  return toSide(server, sample);
}

async function toSide(server: Server, sample: Sample): Promise<Side> {
  const body = { name: 'verify', scopes: ['tokens:verify'] };
  const { credential } = await administer<{ readonly credential: string }>(
    server.port,
    post('/api/v1/credentials', body),
  );
  return { server, sample, credential };
}

function toFindings({ what, minRatio }: Read, names: string[], results: CostedResult[][]): Finding[] {
  const [floor = [], stock = [], service = [], other] = results;
  const compare = (reference: CostedResult[], index: number, target: Target | null) =>
    toRatioFinding('reads', `${what}: service to ${names[index]}`, { service, reference, target });
  return [
    ...results.map((each, index) => toCostFinding('reads', `${what}: ${names[index]}`, each)),
    compare(floor, 0, null),
    compare(stock, 1, { figure: CPU_RATIO, atLeast: minRatio }),
    ...(other === undefined ? [] : [compare(other, 3, null)]),
  ];
}

/** Writes that wait for the disk, on both engines, and the same of another checkout if asked. */
import { join } from 'node:path';
import type { BenchOptions } from '../benches.ts';
import { measureServer, toCostFinding, toRatioFinding } from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { administer, type BenchRequest, post } from '../load/requests.ts';
import { measureInTurn, type Pace } from '../load/rounds.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import {
  ANY_CORE,
  createServiceEnvironment,
  readStartCommand,
  type Server,
  type Stage,
  withStage,
} from '../processes/stage.ts';
import { ANSWERS, COURSE } from './forms.ts';

/** More than a machine creates in one round. */
const MAX_USERS = 20_000;

interface Side {
  readonly server: Server;
  readonly form: string;
  /** Of a program that creates users. */
  readonly credential: string;
}

interface Write {
  /** For `--only`. */
  readonly name: string;
  readonly what: string;
  readonly connections: number;
  requests(side: Side): BenchRequest[];
}

let created = 0;

const createUsers = ({ credential }: Side): BenchRequest[] =>
  Array.from({ length: MAX_USERS }, () => {
    const email = `new-${created++}@example.com`;
    return post('/api/v1/users', { name: 'A new user', email }, credential);
  });

/** By the program: more than a few of an anonymous network are held. */
const submit = ({ form, credential }: Side) => [
  post(`${form}/submissions`, { answers: ANSWERS }, credential),
];

const WRITES: readonly Write[] = [
  ...[64, 16, 1].map((connections) => ({
    name: `submissions-${connections}`,
    what: `submissions, ${connections} at a time`,
    connections,
    requests: submit,
  })),
  { name: 'users-16', what: 'users by a credential, 16 at a time', connections: 16, requests: createUsers },
];

export async function measureWrites({ pace, beside, only }: BenchOptions): Promise<Finding[]> {
  const writes = WRITES.filter(({ name }) => only === undefined || only.includes(name));
  const checkouts = ['.', ...(beside === undefined ? [] : [beside])];
  const findings: Finding[] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const)
    findings.push(
      ...(await withStage(async (stage) => {
        const sides = await Promise.all(
          checkouts.map((checkout, index) => startSide(stage, checkout, { engine, index })),
        );
        return measureSides(stage, sides, { writes, engine, pace });
      })),
    );
  return findings;
}

/** Starts the service on an empty database of its own. */
async function startSide(
  stage: Stage,
  checkout: string,
  { engine, index }: { readonly engine: string; readonly index: number },
): Promise<Side> {
  const environment = createServiceEnvironment(join(stage.directory, `service-${index}`));
  if (engine === 'PostgreSQL') {
    const start = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    environment.DATABASE_URL = (await start({ users: 0, tokens: 0 })).url;
  }
  const options = { ...environment, LOAD_SHEDDING_MS: 'off' };
  const server = await stage.server(readStartCommand(checkout), options);
  const { id } = await administer<{ id: string }>(server.port, post('/api/v1/forms', COURSE));
  await administer(server.port, post(`/api/v1/forms/${id}/publish`, {}));
  const body = { name: 'writes', scopes: ['users:write'] };
  const { credential } = await administer<{ credential: string }>(
    server.port,
    post('/api/v1/credentials', body),
  );
  return { server, form: `/api/v1/forms/${id}`, credential };
}

async function measureSides(
  stage: Stage,
  sides: readonly Side[],
  { writes, engine, pace }: { writes: readonly Write[]; engine: string; pace: Pace },
): Promise<Finding[]> {
  const load = stage.helper<Job, LoadResult>('load/load.ts');
  const findings: Finding[] = [];
  for (const { what, connections, requests } of writes) {
    const measures = sides.map((side) =>
      measureServer(load, side.server, { create: () => requests(side), connections }),
    );
    const [service = [], other] = await measureInTurn(measures, pace.long);
    const name = `${engine}: ${what}`;
    findings.push(toCostFinding('writes', `${name}: service`, service));
    if (other === undefined) continue;
    const compared = { service, reference: other, target: null };
    findings.push(toCostFinding('writes', `${name}: beside`, other));
    findings.push(toRatioFinding('writes', `${name}: service to beside`, compared));
  }
  return findings;
}

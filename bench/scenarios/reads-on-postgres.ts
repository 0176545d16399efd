/** Reads on PostgreSQL with many connections, and the same of another checkout if asked. */
import { join } from 'node:path';
import type { BenchOptions } from '../benches.ts';
import { measureServer, toCostFinding, toRatioFinding } from '../load/comparison.ts';
import type { Finding } from '../load/findings.ts';
import type { LoadResult } from '../load/jobs.ts';
import type { Job } from '../load/load.ts';
import { ADMIN_TOKEN, type BenchRequest, get } from '../load/requests.ts';
import { measureInTurn } from '../load/rounds.ts';
import type { PostgresJob, SeededPostgres } from '../processes/postgres.ts';
import {
  ANY_CORE,
  createServiceEnvironment,
  readStartCommand,
  type Stage,
  withStage,
} from '../processes/stage.ts';

const USERS = 1_000;
const CONNECTIONS = 64;
const SECRET_KEY = 'the-common-secret-of-all-nodes-of-a-database';

/** Each checkout is a node of the same database. */
export function measureReadsOnPostgres({ pace, beside, only }: BenchOptions): Promise<Finding[]> {
  return withStage(async (stage) => {
    const seed = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url, sample } = await seed({ users: USERS, tokens: USERS });
    const reads: Record<string, BenchRequest[]> = {
      me: sample.tokens.map((token) => get('/api/v1/me', token)),
      list: [get('/api/v1/users?limit=20', ADMIN_TOKEN)],
    };
    const servers = [await startNode(stage, '.', url)];
    if (beside !== undefined) servers.push(await startNode(stage, beside, url));
    const load = stage.helper<Job, LoadResult>('load/load.ts');
    const findings: Finding[] = [];
    for (const [name, requests] of Object.entries(reads)) {
      if (only !== undefined && !only.includes(name)) continue;
      const measures = servers.map((server) =>
        measureServer(load, server, { create: () => requests, connections: CONNECTIONS }),
      );
      const [service = [], reference] = await measureInTurn(measures, pace.short);
      const what = `PostgreSQL: ${name}, ${CONNECTIONS} at a time`;
      findings.push(toCostFinding('reads-on-postgres', `${what}: service`, service));
      if (reference === undefined) continue;
      const compared = { service, reference, target: null };
      findings.push(toCostFinding('reads-on-postgres', `${what}: beside`, reference));
      findings.push(toRatioFinding('reads-on-postgres', `${what}: service to beside`, compared));
    }
    return findings;
  });
}

function startNode(stage: Stage, checkout: string, url: string) {
  const environment = createServiceEnvironment(join(stage.directory, `service-${checkout === '.' ? 0 : 1}`));
  return stage.server(readStartCommand(checkout), {
    ...environment,
    SECRET_KEY,
    DATABASE_URL: url,
    LOAD_SHEDDING_MS: 'off',
  });
}

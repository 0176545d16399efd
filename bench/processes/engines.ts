/** Starts the service on each database engine in turn, with seeded data. */
import { join } from 'node:path';
import type { Finding } from '../load/findings.ts';
import type { PostgresJob, SeededPostgres } from './postgres.ts';
import { populate, type Sample } from './seed.ts';
import { ANY_CORE, createServiceEnvironment, SERVICE, type Stage, withStage } from './stage.ts';

export interface SeededEngine {
  readonly engine: 'SQLite' | 'PostgreSQL';
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly sample: Sample;
  /** Starts the service, and returns its port. */
  start(environment: Readonly<Record<string, string>>): Promise<number>;
  readonly helper: Stage['helper'];
}

export async function measureOnEngines(
  population: PostgresJob,
  measure: (seeded: SeededEngine) => Promise<Finding[]>,
): Promise<Finding[]> {
  const onSqlite = async (stage: Stage) => {
    const dataDir = join(stage.directory, 'service');
    const sample = await populate(dataDir, population.users, population);
    return measure(toSeeded(stage, { engine: 'SQLite', databaseUrl: null, sample }));
  };
  const onPostgres = async (stage: Stage) => {
    const seed = stage.helper<PostgresJob, SeededPostgres>('processes/postgres.ts', ANY_CORE);
    const { url, sample } = await seed(population);
    return measure(toSeeded(stage, { engine: 'PostgreSQL', databaseUrl: url, sample }));
  };
  return [...(await withStage(onSqlite)), ...(await withStage(onPostgres))];
}

function toSeeded(
  stage: Stage,
  seeded: Pick<SeededEngine, 'engine' | 'databaseUrl' | 'sample'>,
): SeededEngine {
  const dataDir = join(stage.directory, 'service');
  const { databaseUrl } = seeded;
  const start: SeededEngine['start'] = async (environment) => {
    const url = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
    const all = { ...createServiceEnvironment(dataDir), ...environment, ...url };
    return (await stage.server(SERVICE, all, ANY_CORE)).port;
  };
  return { ...seeded, dataDir, start, helper: stage.helper };
}

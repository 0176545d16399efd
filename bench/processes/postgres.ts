/** PostgreSQL server of a bench, a process of its own: on a job it starts the server and fills the tables. */
import { openDatabase } from '../../src/database/open.ts';
import { type PostgresServer, startPostgres } from '../../test/support/processes/postgres-server.ts';
import { serveJobs } from '../load/jobs.ts';
import { type Population, populateDatabase, type Sample } from './seed.ts';

export interface PostgresJob extends Population {
  /** How many of them have a token. */
  readonly tokens: number;
}

export interface SeededPostgres {
  readonly url: string;
  readonly sample: Sample;
}

let server: PostgresServer | undefined;

async function run(job: PostgresJob): Promise<SeededPostgres> {
  server = await startPostgres();
  const database = openDatabase({ databaseUrl: server.url, dataDir: '', databasePool: 1 });
  const sample = await populateDatabase(database, job);
  await database.close();
  return { url: server.url, sample };
}

process.once('SIGTERM', async () => {
  await server?.stop();
  process.exit(0);
});

serveJobs(run);

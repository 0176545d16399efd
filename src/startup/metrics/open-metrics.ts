/** Figures that are read at each request of Prometheus, and the listener of the metrics: apart from that of the service, so that nobody else reaches it. */
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { ConfigError } from '../../config.ts';
import { withErrorCount } from '../../database/count-errors.ts';
import type { Database } from '../../database/database.ts';
import { readBackupStatus } from '../../features/backups/status/backup-events.ts';
import { countJobsUpTo, JOB_QUEUES, type JobCounts } from '../../features/jobs/queries.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Passwords } from '../../lib/passwords/passwords.ts';
import type { Clock } from '../../lib/time.ts';
import type { RequestObserver } from '../../plugins/request-metrics.ts';
import type { GaugeDefinition } from './metrics.ts';

/** Without METRICS_PORT: costs nothing. */
const OFF = {
  observer: null as RequestObserver | null,
  jobAttempted: undefined,
  countErrors: (database: Database): Database => database,
  addGauges: (_: GaugeDeps): void => {},
  close: async (): Promise<void> => {},
};

export type OpenMetrics = Awaited<ReturnType<typeof openMetrics>>;

/** Listens at `address` until `close` is called; without one, there are no metrics. @throws ConfigError */
export async function openMetrics(
  address: { readonly host: string; readonly port: number } | null,
  logger: Log,
) {
  if (address === null) return OFF;
  // Loaded only when used.
  const { createMetrics } = await import('./metrics.ts');
  const { registry, databaseFailed, addGauges, ...metrics } = createMetrics();
  const app = fastify({ forceCloseConnections: true });
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  const url = await listen(app, address);
  logger.info({ url: `${url}/metrics` }, 'metrics are served');
  return {
    ...metrics,
    countErrors: (database: Database) => withErrorCount(database, databaseFailed),
    addGauges: (deps: GaugeDeps) =>
      addGauges([...createQueueGauges(deps), ...createResourceGauges(deps), createBackupGauge(deps)]),
    close: async (): Promise<void> => app.close(),
  };
}

async function listen(app: FastifyInstance, address: { readonly host: string }): Promise<string> {
  try {
    return await app.listen(address);
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError('METRICS_PORT', `cannot be listened on with METRICS_HOST ${address.host}: ${code}`);
  }
}

interface GaugeDeps {
  readonly passwordThreads: number;
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
}

/** Counting more of them would take long at each scrape. */
const MAX_COUNTED_JOBS = 1_000;

function createQueueGauges({ database, clock }: GaugeDeps): GaugeDefinition[] {
  const createGauge = (name: string, help: string, toValue: (counts: JobCounts, now: number) => number) => ({
    name,
    help,
    label: 'queue',
    async read() {
      const now = clock();
      const values: Record<string, number> = {};
      for (const queue of JOB_QUEUES)
        values[queue] = toValue(await countJobsUpTo(database, { queue, now, limit: MAX_COUNTED_JOBS }), now);
      return values;
    },
  });
  const upTo = `by queue, up to ${MAX_COUNTED_JOBS}.`;
  return [
    createGauge('frontdesk_jobs', `Jobs that wait, ${upTo}`, ({ waiting }) => waiting),
    createGauge('frontdesk_jobs_failing', `Jobs after a failed attempt, ${upTo}`, ({ failed }) => failed),
    createGauge('frontdesk_jobs_oldest_age_seconds', 'Age of the oldest job, by queue.', (counts, now) =>
      counts.oldest === null ? 0 : Math.max(0, now - counts.oldest) / 1_000,
    ),
  ];
}

function createResourceGauges({ passwordThreads, database, passwords }: GaugeDeps): GaugeDefinition[] {
  return [
    {
      name: 'frontdesk_password_queue',
      help: 'Passwords that are hashed, and that wait for it.',
      label: 'state',
      read: async () => ({ ...passwords.load }),
    },
    {
      name: 'frontdesk_password_threads',
      help: 'Passwords that can be hashed at the same time.',
      read: async () => ({ '': passwordThreads }),
    },
    {
      name: 'frontdesk_database_connections',
      help: 'Connections of the pool, and requests that wait for one. None on SQLite.',
      label: 'state',
      read: async () => ({ ...database.readPool?.() }),
    },
  ];
}

function createBackupGauge({ database, clock }: GaugeDeps): GaugeDefinition {
  return {
    name: 'frontdesk_backup_age_seconds',
    help: 'Age of the last backup, by what was done with it. None before the first one.',
    label: 'state',
    async read() {
      const { created, verified } = await readBackupStatus(database, clock());
      const values: Record<string, number> = {};
      for (const [state, event] of Object.entries({ created, verified }))
        if (event !== null) values[state] = Math.max(0, clock() - event.at) / 1_000;
      return values;
    },
  };
}

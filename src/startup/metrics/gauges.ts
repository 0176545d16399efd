/** Figures that are read when Prometheus asks for them. */
import type { Database } from '../../database/database.ts';
import { readBackupStatus } from '../../features/backups/status/backup-events.ts';
import { countJobsUpTo, JOB_QUEUES, type JobCounts } from '../../features/jobs/queries.ts';
import type { Passwords } from '../../lib/passwords/passwords.ts';
import type { Clock } from '../../lib/time.ts';

export interface GaugeDeps {
  readonly passwordThreads: number;
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
}

/** One gauge, with the values of its label. Add further figures of the service to `createGauges`. */
export interface GaugeDefinition {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Returns values by label; `''` without one. A failed read leaves the gauge without a value. */
  read(): Promise<Readonly<Record<string, number>>>;
}

/** Counting more of them would take long at each scrape. */
const MAX_COUNTED_JOBS = 1_000;

export function createGauges(deps: GaugeDeps): readonly GaugeDefinition[] {
  return [...createQueueGauges(deps), ...createResourceGauges(deps), createBackupGauge(deps)];
}

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

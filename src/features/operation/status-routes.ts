/** The route of the status of a node. */
import { type Database, type DatabaseDeps, ENGINES } from '../../database/database.ts';
import { readVersion } from '../../lib/files.ts';
import { cached } from '../../lib/queues/shared-work.ts';
import type { FeaturePlugin } from '../../lib/routes/routes.ts';
import { dataSchema, nullableText, recordSchema, text, timestamp } from '../../lib/schema/json-schema.ts';
import { formatTimestamp, type MonotonicClock } from '../../lib/time.ts';
import { describeResponse } from '../../plugins/openapi/describe-response.ts';
import { countJobsUpTo } from '../jobs/queries.ts';
import { readDropped } from '../mail/messages/end-message.ts';
import type { MailSettings } from '../mail/settings.ts';

export interface StatusDeps extends DatabaseDeps {
  readonly monotonicClock: MonotonicClock;
  /** When the service started, in epoch milliseconds of `clock`. */
  readonly startedAt: number;
  readonly mail: MailSettings;
  /** Empty if it is not set. */
  readonly publicUrl: string;
}

export const DELIVERIES = ['smtp', 'log', 'off'] as const;
export type Delivery = (typeof DELIVERIES)[number];

const CACHE_MS = 2_000;
const MAX_COUNTED_MAIL = 1_000;

async function readStatus({ database, clock, startedAt, mail, publicUrl }: StatusDeps) {
  const now = clock();
  const { engine, location } = database;
  return {
    generated_at: formatTimestamp(now),
    version: readVersion(),
    node_version: process.versions.node,
    started_at: formatTimestamp(startedAt),
    uptime_seconds: Math.max(0, Math.floor((now - startedAt) / 1000)),
    memory_bytes: process.memoryUsage.rss(),
    database: { engine, location },
    public_url: publicUrl || null,
    mail: { delivery: getDelivery(mail), ...(await mailCounts(database, now)) },
  };
}

function getDelivery({ smtp, toLog }: MailSettings): Delivery {
  if (toLog) return 'log';
  return smtp === null ? 'off' : 'smtp';
}

async function mailCounts(database: Database, now: number) {
  const { waiting, failed } = await countJobsUpTo(database, {
    queue: 'mail',
    now,
    limit: MAX_COUNTED_MAIL + 1,
  });
  const hasMore = waiting > MAX_COUNTED_MAIL;
  return {
    waiting: Math.min(waiting, MAX_COUNTED_MAIL),
    failed: Math.min(failed, MAX_COUNTED_MAIL),
    has_more: hasMore,
    dropped: await readDropped(database),
  };
}

const count = { type: 'integer', minimum: 0 } as const;

const database = recordSchema({
  engine: { type: 'string', enum: ENGINES },
  location: { ...text, description: 'A file, or host and name of the database.' },
});

const mail = recordSchema({
  delivery: {
    type: 'string',
    enum: DELIVERIES,
    description: 'How messages leave the service; `off`: they wait in the database.',
  },
  waiting: { ...count, description: `Messages that were not sent yet, up to ${MAX_COUNTED_MAIL}.` },
  failed: { ...count, description: 'Those of them of which at least one attempt has failed.' },
  has_more: {
    type: 'boolean',
    description: `Whether more than ${MAX_COUNTED_MAIL} wait: then \`failed\` counts those that expire first.`,
  },
  dropped: {
    ...count,
    description:
      'Messages that were not sent since the database was set up, because their recipient had got enough or too many anonymous requests waited.',
  },
});

const statusSchema = dataSchema(
  recordSchema({
    generated_at: { ...timestamp, description: 'Time of this status by the clock of the database.' },
    version: { ...text, description: 'Release of the service.' },
    node_version: { ...text, description: 'Release of Node that runs it.' },
    started_at: timestamp,
    uptime_seconds: count,
    memory_bytes: { ...count, description: 'Memory that the process occupies (resident set size).' },
    database,
    public_url: { ...nullableText, description: 'PUBLIC_URL; null if it is not set.' },
    mail,
  }),
);

export const status: FeaturePlugin<StatusDeps> = async (app, deps) => {
  const { monotonicClock } = deps;
  const readCached = cached(() => readStatus(deps), { lifetimeMs: CACHE_MS, monotonicClock });
  app.get(
    '/api/v1/admin/status',
    {
      schema: {
        operationId: 'getStatus',
        tags: ['Administration'],
        summary: 'Get the status of the node that responds',
        description: 'Read at most every two seconds; `generated_at` is when.',
        response: { 200: describeResponse(statusSchema, { description: 'The status.' }) },
      },
      config: { access: 'admin', scope: 'settings:read' },
    },
    async () => ({ message: 'Status', data: await readCached() }),
  );
};

/** State of this node for the administrator: release, process, database and mail. */
import type { Database } from '../../../database/database.ts';
import { cached } from '../../../lib/cached.ts';
import { type Clock, formatTimestamp, type MonotonicClock } from '../../../lib/time/clock.ts';
import { readVersion } from '../../../lib/version.ts';
import { countJobsUpTo } from '../../jobs/queries.ts';
import { readDropped } from '../../mail/messages/end-message.ts';
import type { MailSettings } from '../../mail/settings.ts';

export interface StatusDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** When the service started, in epoch milliseconds of `clock`. */
  readonly startedAt: number;
  readonly mail: MailSettings;
}

export const DELIVERIES = ['smtp', 'log', 'off'] as const;
export type Delivery = (typeof DELIVERIES)[number];

const CACHE_MS = 2_000;
export const MAX_COUNTED_MAIL = 1_000;

/** Creates the function that returns the member `data` of the status: computed at most every two seconds. */
export function createStatus(deps: StatusDeps) {
  const { monotonicClock } = deps;
  return cached(() => readStatus(deps), { lifetimeMs: CACHE_MS, monotonicClock });
}

async function readStatus({ database, clock, startedAt, mail }: StatusDeps) {
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
    mail: { delivery: getDelivery(mail), ...(await mailCounts(database, now)) },
  };
}

export function getDelivery({ smtp, toLog }: MailSettings): Delivery {
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

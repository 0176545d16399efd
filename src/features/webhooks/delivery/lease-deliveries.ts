/** Leases deliveries, with what their attempts need. */
import type { Database, Tx } from '../../../database/database.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { dropJob } from '../../jobs/lanes/finish-job.ts';
import { leaseJobs } from '../../jobs/lanes/lease-jobs.ts';
import type { WebhookJob } from '../../jobs/lanes/queries.ts';
import { LEASE_MS } from '../../jobs/lease.ts';
import { type DeliveryRow, findDeliveries, finishDelivery } from '../deliveries/queries.ts';
import { type EndpointRow, findEndpoint, findSecrets } from '../queries.ts';

export interface DeliveryTarget {
  readonly endpoint: EndpointRow;
  /** Encrypted. */
  readonly sealedSecrets: readonly Uint8Array[];
}

export interface LeasedDelivery {
  readonly job: WebhookJob;
  readonly delivery: DeliveryRow;
  /** The same object for all deliveries to an endpoint. */
  readonly target: DeliveryTarget;
}

interface LeaseDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Leases deliveries of different lanes. Those that are not returned are not to be run: by this node, or at all.
 * @throws DatabaseUnavailable
 */
export function leaseDeliveries(
  { database, clock }: LeaseDeps,
  jobs: readonly WebhookJob[],
): Promise<LeasedDelivery[]> {
  const now = clock();
  return database.transaction(async (tx) => {
    const targets = await findTargets(tx, jobs, now);
    const ids = jobs.map(({ id }) => id);
    const deliveries = await findDeliveries(tx, ids);
    const possible: LeasedDelivery[] = [];
    for (const job of jobs) {
      const target = targets.get(job.endpoint_id);
      if (target === undefined) continue;
      const delivery = deliveries.get(job.id);
      if (delivery === undefined || job.expires_at <= now) await drop(tx, job, now);
      else possible.push({ job, delivery, target });
    }
    const leased = await leaseJobs(
      tx,
      possible.map(({ job }) => job),
      now + LEASE_MS,
    );
    return possible.filter(({ job }) => leased.has(job.id));
  });
}

/** Returns the enabled endpoints by their ids. */
async function findTargets(
  tx: Tx,
  jobs: readonly WebhookJob[],
  now: number,
): Promise<Map<string, DeliveryTarget>> {
  const targets = new Map<string, DeliveryTarget>();
  for (const id of new Set(jobs.map(({ endpoint_id }) => endpoint_id))) {
    const endpoint = await findEndpoint(tx, id);
    if (endpoint?.enabled === 1) targets.set(id, { endpoint, sealedSecrets: await findSecrets(tx, id, now) });
  }
  return targets;
}

async function drop(tx: Tx, job: WebhookJob, now: number): Promise<void> {
  const isDropped = await dropJob(tx, job, now);
  if (isDropped) await finishDelivery(tx, job.id, { state: 'failed', now });
}

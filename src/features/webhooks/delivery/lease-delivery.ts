/** Leases a delivery, and reads the data of its attempt. */
import type { DatabaseDeps } from '../../../database/database.ts';
import { dropJob, leaseJob } from '../../jobs/queries.ts';
import { type DeliveryRow, findDelivery, finishDelivery } from '../deliveries/queries.ts';
import { type EndpointRow, findEndpoint, findSecrets } from '../queries.ts';
import type { WebhookJob } from './queries.ts';

/** Longer than an attempt, which ends after 15 seconds; nodes begin another one that much later after a crash. */
export const LEASE_MS = 25_000;

export interface LeasedDelivery {
  readonly job: WebhookJob;
  readonly delivery: DeliveryRow;
  readonly endpoint: EndpointRow;
  /** Encrypted. */
  readonly sealedSecrets: readonly Uint8Array[];
}

/** Returns null for a delivery that is not to be run: by this node, or at all. @throws DatabaseUnavailable */
export function leaseDelivery(
  { database, clock }: DatabaseDeps,
  job: WebhookJob,
): Promise<LeasedDelivery | null> {
  const now = clock();
  return database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, job.endpoint_id);
    if (endpoint?.enabled !== 1) return null;
    const delivery = await findDelivery(tx, job.id);
    if (delivery === undefined || job.expires_at <= now) {
      if (await dropJob(tx, job)) await finishDelivery(tx, { id: job.id, state: 'failed', now });
      return null;
    }
    if (!(await leaseJob(tx, job, now + LEASE_MS))) return null;
    return { job, delivery, endpoint, sealedSecrets: await findSecrets(tx, endpoint.id, now) };
  });
}

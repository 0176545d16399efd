/** Starts the fan-out and the worker, which deliver events to endpoints. */
import { DatabaseUnavailable } from '../../../database/database.ts';
import type { AddressPolicy } from '../../../lib/outbound/address-policy.ts';
import { createPostClient } from '../../../lib/outbound/post-client.ts';
import { coalesce } from '../../../lib/queues/shared-work.ts';
import type { MonotonicClock } from '../../../lib/time.ts';
import type { Numbering } from '../../events/numbering/numbering.ts';
import { JobWorker, type JobWorkerDeps } from '../../jobs/job-worker.ts';
import { createFanOut } from './fan-out.ts';
import { createWebhookJobs, type WebhookJobDeps } from './webhook-jobs.ts';

/** Time after which events that other nodes have numbered become deliveries, at most, and one read of few rows. */
const INTERVAL_MS = 200;

export interface WebhookDeps extends Omit<WebhookJobDeps, 'client' | 'random'> {
  readonly monotonicClock: MonotonicClock;
  readonly onAttempt?: JobWorkerDeps['onAttempt'];
  /** The events of this node become deliveries as soon as they are numbered. */
  readonly numbering: Pick<Numbering, 'onNumbered'>;
  readonly webhookAddresses: AddressPolicy;
}

/** Delivers until `close` is called, which waits some seconds for deliveries in progress. */
export function startWebhooks(deps: WebhookDeps): { close(): Promise<void> } {
  const client = createPostClient({ policy: deps.webhookAddresses });
  const worker = new JobWorker(deps, createWebhookJobs({ ...deps, client, random: Math.random }));
  const fanOut = createFanOut({ ...deps, onMade: () => worker.wake() });
  const stopping = new AbortController();
  const makeDeliveries = coalesce(async () => {
    await fanOut(stopping.signal).catch((error) => {
      // The log has a line about an unavailable database already.
      if (!(error instanceof DatabaseUnavailable))
        deps.logger.error({ err: error }, 'deliveries of events cannot be stored');
    });
  });
  deps.numbering.onNumbered(makeDeliveries);
  const timer = setInterval(makeDeliveries, INTERVAL_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      stopping.abort();
      await makeDeliveries();
      await worker.close();
      await client.close();
    },
  };
}

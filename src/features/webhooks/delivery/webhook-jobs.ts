/** Deliveries as jobs: which are next, and one attempt. */
import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import type { PostClient } from '../../../lib/outbound/post-client.ts';
import { type Clock, MINUTE } from '../../../lib/time/clock.ts';
import { dropJob } from '../../jobs/lanes/finish-job.ts';
import { findDueOfEndpoint, type WebhookJob } from '../../jobs/lanes/queries.ts';
import { LEASE_MS } from '../../jobs/lease.ts';
import { leaseJob, releaseJob } from '../../jobs/queries.ts';
import type { JobAttempt, JobKind } from '../../jobs/worker/job-kind.ts';
import { type DeliveryRow, findDelivery, finishDelivery } from '../deliveries/queries.ts';
import { type EndpointRow, findEndpoint, findSecrets } from '../queries.ts';
import type { SecretSeal } from '../secrets.ts';
import { buildBody } from './build-body.ts';
import { type DueEndpoint, findDueEndpoints } from './queries.ts';
import { MAX_RETRY_DELAY_MS } from './retry-delay.ts';
import { signMessage } from './sign-message.ts';
import { type AttemptResult, type OutcomeDeps, SECRET_UNREADABLE, storeOutcome } from './store-outcome.ts';

/** Of a node. */
const MAX_RUNNING = 64;
const MAX_RUNNING_PER_ENDPOINT = 4;
/** Receivers that have failed for this time get one delivery at a time: each may take until the deadline. */
const FAILING_MS = MINUTE;

export interface WebhookJobDeps extends OutcomeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly client: Pick<PostClient, 'post'>;
  readonly webhookSecrets: SecretSeal;
  readonly random: () => number;
}

export function createWebhookJobs(deps: WebhookJobDeps): JobKind<WebhookJob> {
  const { logger } = deps;
  const running = new Map<string, number>();
  const count = (id: string, change: number) => {
    const changed = (running.get(id) ?? 0) + change;
    if (changed === 0) running.delete(id);
    else running.set(id, changed);
  };
  return {
    queue: 'webhook',
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    maxRunning: MAX_RUNNING,
    findNext: (total) => findNext(deps, running, MAX_RUNNING - total),
    async begin(job) {
      const prepared = await prepare(deps, job);
      if (prepared === null) return null;
      count(job.endpoint_id, 1);
      return (stopping) =>
        attempt(deps, { ...prepared, job, stopping }).finally(() => count(job.endpoint_id, -1));
    },
    onUnavailable: (error) => logger.warn({ err: error }, 'the queue of webhooks is not available'),
    onNotStored: ({ id, endpoint_id }, error) =>
      logger.warn(
        { err: error, webhook_id: endpoint_id, delivery_id: id },
        'the outcome of a delivery could not be stored, so it is repeated',
      ),
  };
}

/** The endpoints with the fewest running deliveries are first, so that none takes all of the places. */
async function findNext(
  { database, clock }: WebhookJobDeps,
  running: ReadonlyMap<string, number>,
  free: number,
): Promise<WebhookJob[]> {
  const now = clock();
  const countRunning = ({ id }: DueEndpoint) => running.get(id) ?? 0;
  const due = (await findDueEndpoints(database, now)).sort((a, b) => countRunning(a) - countRunning(b));
  const jobs: WebhookJob[] = [];
  for (const endpoint of due) {
    const places = Math.min(maxRunning(endpoint, now) - countRunning(endpoint), free - jobs.length);
    if (places > 0)
      jobs.push(...(await findDueOfEndpoint(database, { endpointId: endpoint.id, now, limit: places })));
  }
  return jobs;
}

function maxRunning({ failing_since }: DueEndpoint, now: number): number {
  return failing_since !== null && failing_since <= now - FAILING_MS ? 1 : MAX_RUNNING_PER_ENDPOINT;
}

interface PreparedDelivery {
  readonly delivery: DeliveryRow;
  readonly endpoint: EndpointRow;
  readonly sealedSecrets: readonly Uint8Array[];
}

/** Leases the job. Returns null if it is not to be run: by this node, or at all. */
function prepare({ database, clock }: WebhookJobDeps, job: WebhookJob): Promise<PreparedDelivery | null> {
  const now = clock();
  return database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, job.endpoint_id);
    if (endpoint?.enabled !== 1) return null;
    const delivery = await findDelivery(tx, job.id);
    if (delivery === undefined || job.expires_at <= now) {
      const isDropped = await dropJob(tx, job, now);
      if (isDropped) await finishDelivery(tx, job.id, { state: 'failed', now });
      return null;
    }
    if (!(await leaseJob(tx, job, now + LEASE_MS))) return null;
    return { delivery, endpoint, sealedSecrets: await findSecrets(tx, endpoint.id, now) };
  });
}

interface Attempt extends PreparedDelivery {
  readonly job: WebhookJob;
  readonly stopping: AbortSignal;
}

async function attempt(deps: WebhookJobDeps, given: Attempt): ReturnType<JobAttempt> {
  const { database, clock, random } = deps;
  const { job, stopping } = given;
  const startedAt = clock();
  const result = await send(deps, given, startedAt);
  const now = clock();
  await database.transaction((tx) =>
    result.error === 'aborted' && stopping.aborted
      ? releaseJob(tx, job, { nextAttemptAt: now, lastError: result.error })
      : storeOutcome(deps, tx, { job, result, startedAt, now, random: random() }),
  );
  // The job was finished or postponed in this transaction.
  return { isDone: false };
}

function send(deps: WebhookJobDeps, given: Attempt, now: number): Promise<AttemptResult> | AttemptResult {
  const { delivery, endpoint, sealedSecrets, stopping: signal } = given;
  const secrets = unsealAll(deps, endpoint.id, sealedSecrets);
  if (secrets.length === 0) {
    deps.logger.error(
      { webhook_id: endpoint.id },
      'the secret of a webhook was encrypted by another SECRET_KEY: rotate it',
    );
    return { error: SECRET_UNREADABLE, status: null, line: null, retryAfter: null, durationMs: 0 };
  }
  const body = buildBody(delivery);
  const headers = signMessage({ id: delivery.event_id, now, body }, secrets);
  return deps.client.post({ url: endpoint.url, headers, body, signal });
}

/** Returns the secrets that can be decrypted. */
function unsealAll(
  { webhookSecrets }: WebhookJobDeps,
  endpointId: string,
  sealed: readonly Uint8Array[],
): Uint8Array[] {
  return sealed.flatMap((each) => {
    try {
      return [webhookSecrets.unseal(endpointId, each)];
    } catch {
      return [];
    }
  });
}

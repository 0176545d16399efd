/** Deliveries as jobs: the choice of the next ones, their lease and one attempt. */
import type { DatabaseDeps } from '../../../database/database.ts';
import { type PostClient, USER_AGENT } from '../../../lib/outbound/post-client.ts';
import { type SecretSeal, tryUnseal } from '../../../lib/secrets/encryption.ts';
import { MINUTE } from '../../../lib/time.ts';
import type { AttemptResult, JobKind } from '../../jobs/job-worker.ts';
import { dropJob, leaseJob, releaseJob } from '../../jobs/queries.ts';
import { findDelivery, finishDelivery } from '../deliveries/queries.ts';
import { type DueEndpoint, findDueEndpoints, findEndpoint, findSecrets } from '../queries.ts';
import { findDueOfEndpoint, type WebhookJob } from './queries.ts';
import { buildBody, MAX_RETRY_DELAY_MS, signMessage } from './sign-message.ts';
import { type DeliveryOutcome, NOT_SENT, type OutcomeDeps, storeOutcome } from './store-outcome.ts';

/** Deliveries that a node runs at once. */
const MAX_RUNNING = 64;
const MAX_RUNNING_PER_ENDPOINT = 4;
/** Receivers that have failed for this time get one delivery at a time: each may take until the deadline. */
const FAILING_MS = MINUTE;

/** Longer than an attempt, which ends after 15 seconds; nodes begin another one that much later after a crash. */
export const LEASE_MS = 25_000;

export interface WebhookJobDeps extends OutcomeDeps, DatabaseDeps {
  readonly client: Pick<PostClient, 'post'>;
  readonly webhookSecrets: SecretSeal;
  readonly random: () => number;
}

export function createWebhookJobs(deps: WebhookJobDeps): JobKind<WebhookJob> {
  const { logger } = deps;
  return {
    queue: 'webhook',
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    maxRunning: MAX_RUNNING,
    findNext: (running) => findNext(deps, running),
    async begin(job) {
      const leased = await leaseDelivery(deps, job);
      return leased && ((stopping) => attempt(deps, leased, stopping));
    },
    onUnavailable: (error) => logger.warn({ err: error }, 'the queue of webhooks is not available'),
    onNotStored: ({ id, endpoint_id }, error) =>
      logger.warn(
        { err: error, webhook_id: endpoint_id, delivery_id: id },
        'the outcome of a delivery could not be stored yet',
      ),
  };
}

/** The endpoints with the fewest running deliveries are first, so that none takes all of the places. */
async function findNext(
  { database, clock }: WebhookJobDeps,
  running: readonly WebhookJob[],
): Promise<WebhookJob[]> {
  const now = clock();
  const countRunning = ({ id }: DueEndpoint) => running.filter((job) => job.endpoint_id === id).length;
  const endpoints = await findDueEndpoints(database, now);
  const jobs: WebhookJob[] = [];
  for (const endpoint of endpoints.sort((a, b) => countRunning(a) - countRunning(b))) {
    const places = getMaxRunning(endpoint, now) - countRunning(endpoint);
    const limit = Math.min(places, MAX_RUNNING - running.length - jobs.length);
    if (limit > 0) jobs.push(...(await findDueOfEndpoint(database, { endpointId: endpoint.id, now, limit })));
  }
  return jobs;
}

function getMaxRunning({ failing_since }: DueEndpoint, now: number): number {
  return failing_since !== null && failing_since <= now - FAILING_MS ? 1 : MAX_RUNNING_PER_ENDPOINT;
}

/** Leases a delivery, and reads the data of its attempt. Returns null for a delivery that is not to be run: by this node, or at all. @throws DatabaseUnavailable */
export function leaseDelivery({ database, clock }: DatabaseDeps, job: WebhookJob) {
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

type LeasedDelivery = NonNullable<Awaited<ReturnType<typeof leaseDelivery>>>;

async function attempt(
  deps: WebhookJobDeps,
  leased: LeasedDelivery,
  stopping: AbortSignal,
): Promise<AttemptResult> {
  const { clock } = deps;
  const { job } = leased;
  const startedAt = clock();
  const { request, result } = await send(deps, leased, { now: startedAt, signal: stopping });
  const now = clock();
  // An attempt that the node has ended because it stops does not count.
  if (result.error === 'aborted' && stopping.aborted)
    return { store: (tx) => releaseJob(tx, job, { nextAttemptAt: now, lastError: result.error }) };
  const outcome = { job, request, result, startedAt, now, random: deps.random() };
  return {
    outcome: result.error === null ? 'succeeded' : 'failed',
    store: (tx) => storeOutcome(deps, tx, outcome),
  };
}

async function send(
  deps: WebhookJobDeps,
  leased: LeasedDelivery,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<Pick<DeliveryOutcome, 'request' | 'result'>> {
  const { id: webhook_id, url } = leased.endpoint;
  const secrets = leased.sealedSecrets
    .map((each) => tryUnseal(deps.webhookSecrets, webhook_id, each))
    .filter((secret) => secret !== null);
  if (secrets.length === 0) {
    deps.logger.error(
      { webhook_id },
      'the secret of a webhook was encrypted by another SECRET_KEY: rotate it',
    );
    return { request: null, result: NOT_SENT };
  }
  const body = buildBody(leased.delivery);
  const headers = signMessage({ id: leased.delivery.event_id, now, body }, secrets);
  const result = await deps.client.post({ url, headers, body, signal });
  return { request: { url, signature: headers['webhook-signature'], user_agent: USER_AGENT }, result };
}

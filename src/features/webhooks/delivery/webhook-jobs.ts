/** Deliveries as jobs: which are next, and one attempt. */
import type { Logger } from 'pino';
import type { Database } from '../../../database/database.ts';
import type { PostClient } from '../../../lib/outbound/post-client.ts';
import type { SecretSeal } from '../../../lib/secrets/secret-seal.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { findDueOfEndpoint, type WebhookJob } from '../../jobs/lanes/queries.ts';
import type { JobKind, LeasedJob, Load } from '../../jobs/worker/job-kind.ts';
import { buildBody } from './build-body.ts';
import { EndpointLoad } from './endpoint-load.ts';
import { type DeliveryTarget, type LeasedDelivery, leaseDeliveries } from './lease-deliveries.ts';
import { type DueEndpoint, findDueEndpoints } from './queries.ts';
import { MAX_RETRY_DELAY_MS } from './retry-delay.ts';
import { signMessage } from './sign-message.ts';
import {
  type DeliveryOutcome,
  type DeliveryResult,
  isSuccess,
  type OutcomeDeps,
  SECRET_UNREADABLE,
  storeOutcomes,
} from './store-outcomes.ts';

/** Deliveries that a node runs at once. */
const MAX_RUNNING = 64;
/** Deliveries that run or wait for their turn. */
const MAX_LEASED = 128;
/** One of the sizes of statements with rows. */
const MAX_LEASED_AT_ONCE = 64;

export interface WebhookJobDeps extends OutcomeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly client: Pick<PostClient, 'post'>;
  readonly webhookSecrets: SecretSeal;
  readonly random: () => number;
}

export function createWebhookJobs(deps: WebhookJobDeps): JobKind<WebhookJob, DeliveryOutcome> {
  const { logger } = deps;
  const load = new EndpointLoad();
  return {
    queue: 'webhook',
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    maxRunning: MAX_RUNNING,
    maxLeasedAtOnce: MAX_LEASED_AT_ONCE,
    findNext: (total) => findNext(deps, load, total),
    lease: (jobs) => lease(deps, load, jobs),
    mayRun: ({ endpoint_id }) => load.mayRun(endpoint_id),
    storeOutcomes: (tx, outcomes) => storeOutcomes(deps, tx, outcomes),
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
  load: EndpointLoad,
  { running, waiting }: Load<WebhookJob>,
): Promise<WebhookJob[]> {
  const now = clock();
  const endpoints = await findDueEndpoints(database, now);
  load.retain(endpoints);
  const countWaiting = ({ id }: DueEndpoint) =>
    waiting.filter(({ endpoint_id }) => endpoint_id === id).length;
  const free = MAX_LEASED - running - waiting.length;
  const jobs: WebhookJob[] = [];
  for (const endpoint of endpoints.sort((a, b) => load.countRunning(a.id) - load.countRunning(b.id))) {
    const places = load.countPlaces(endpoint, countWaiting(endpoint), now);
    const limit = Math.min(places, free - jobs.length);
    if (limit > 0) jobs.push(...(await findDueOfEndpoint(database, { endpointId: endpoint.id, now, limit })));
  }
  return jobs;
}

async function lease(
  deps: WebhookJobDeps,
  load: EndpointLoad,
  jobs: readonly WebhookJob[],
): Promise<LeasedJob<WebhookJob, DeliveryOutcome>[]> {
  const leased = await leaseDeliveries(deps, jobs);
  const secrets = new Map<DeliveryTarget, readonly Uint8Array[]>();
  for (const { target } of leased) if (!secrets.has(target)) secrets.set(target, unsealAll(deps, target));
  return leased.map((each) => ({
    job: each.job,
    run: async (stopping) => {
      const { endpoint_id } = each.job;
      load.begin(endpoint_id);
      let durationMs = Number.POSITIVE_INFINITY;
      try {
        const outcome = await attempt(deps, { ...each, secrets: secrets.get(each.target)!, stopping });
        if (isSuccess(outcome.result)) durationMs = outcome.result.durationMs;
        return { outcome, isDone: false };
      } finally {
        load.end(endpoint_id, durationMs);
      }
    },
  }));
}

interface Attempt extends LeasedDelivery {
  readonly secrets: readonly Uint8Array[];
  readonly stopping: AbortSignal;
}

async function attempt(deps: WebhookJobDeps, given: Attempt): Promise<DeliveryOutcome> {
  const { clock, random } = deps;
  const { job, stopping } = given;
  const startedAt = clock();
  const result = await send(deps, given, startedAt);
  const isStopped = result.error === 'aborted' && stopping.aborted;
  return { job, result, isStopped, startedAt, now: clock(), random: random() };
}

function send(deps: WebhookJobDeps, given: Attempt, now: number): Promise<DeliveryResult> | DeliveryResult {
  const { delivery, target, secrets, stopping: signal } = given;
  const { id: webhook_id, url } = target.endpoint;
  if (secrets.length === 0) {
    deps.logger.error(
      { webhook_id },
      'the secret of a webhook was encrypted by another SECRET_KEY: rotate it',
    );
    return { error: SECRET_UNREADABLE, status: null, line: null, retryAfter: null, durationMs: 0 };
  }
  const body = buildBody(delivery);
  const headers = signMessage({ id: delivery.event_id, now, body }, secrets);
  return deps.client.post({ url, headers, body, signal });
}

/** Returns the secrets that can be decrypted. */
function unsealAll({ webhookSecrets }: WebhookJobDeps, { endpoint, sealedSecrets }: DeliveryTarget) {
  return sealedSecrets.flatMap((each) => {
    try {
      return [webhookSecrets.unseal(endpoint.id, each)];
    } catch {
      return [];
    }
  });
}

/**
 * Delivers events to endpoints. The fan-out makes deliveries of numbered events: one per endpoint and event, also if
 * several nodes do so at once, because the position of an endpoint advances in the transaction that stores its deliveries.
 * The worker sends them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Database, DatabaseUnavailable } from '../../../database/database.ts';
import type { AddressPolicy } from '../../../lib/outbound/address-policy.ts';
import { createPostClient } from '../../../lib/outbound/post-client.ts';
import { coalesce } from '../../../lib/queues/shared-work.ts';
import type { Clock, MonotonicClock } from '../../../lib/time.ts';
import type { Numbering } from '../../events/numbering/numbering.ts';
import { readChain, readThinEvents } from '../../events/queries.ts';
import { JobWorker, type JobWorkerDeps } from '../../jobs/job-worker.ts';
import { enqueueDeliveries, selectEvents } from '../deliveries/enqueue-deliveries.ts';
import { hasPending } from '../deliveries/queries.ts';
import { MAX_DELIVERED, trimDelivered } from '../housekeeping/queries.ts';
import * as queries from '../queries.ts';
import { MAX_ENDPOINTS, MAX_PENDING } from '../webhook.ts';
import { createWebhookJobs, type WebhookJobDeps } from './webhook-jobs.ts';

/** Few enough for a transaction of some milliseconds. */
const BATCH_SIZE = 64;
/** Time until the pending deliveries of an endpoint with the maximum are counted again. */
const FULL_PAUSE_MS = 5_000;

/** Returns the function that makes deliveries of all events that are numbered now. It returns their number. */
export function createFanOut(deps: {
  database: Database;
  clock: Clock;
  monotonicClock: MonotonicClock;
  onMade?: () => void;
}) {
  const { database, clock, monotonicClock, onMade } = deps;
  const paused = new LRUCache<string, true>({
    max: MAX_ENDPOINTS,
    ttl: FULL_PAUSE_MS,
    ttlResolution: 0,
    perf: { now: monotonicClock },
  });
  return async (stopping?: AbortSignal): Promise<number> => {
    let made = 0;
    while (!stopping?.aborted) {
      const behind = (await queries.findBehindEndpoints(database)).filter(({ id }) => !paused.has(id));
      if (behind.length === 0) break;
      for (const endpoint of behind) {
        // Beyond the maximum, events wait in their record, which has a limit of its own.
        const isFull = await hasPending(database, endpoint.id, MAX_PENDING);
        if (isFull) paused.set(endpoint.id, true);
        const added = isFull ? 0 : await deliverNext(database, endpoint, clock());
        made += added;
        if (added > 0) onMade?.();
        // Yields to requests: transactions on SQLite are synchronous and would block the event loop.
        await nextTurn();
      }
    }
    return made;
  };
}

async function deliverNext(database: Database, endpoint: queries.BehindEndpoint, now: number) {
  const { id, next_number: from } = endpoint;
  // Before the events, so that all up to this number are among those that are read.
  const { number: head } = await readChain(database);
  if (from > head) return 0;
  const events = await readThinEvents(database, { low: from - 1, high: head, limit: BATCH_SIZE });
  const to = 1 + (events.length < BATCH_SIZE ? head : events.at(-1)!.number);
  const selected = selectEvents(events, endpoint);
  return database.transaction(
    async (tx) => {
      if (!(await queries.advance(tx, { id, from, to }))) return 0;
      await trimDelivered(tx, id, { kept: MAX_DELIVERED, limit: 2 * BATCH_SIZE });
      return (await enqueueDeliveries(tx, { endpointId: id, now }, selected)).length;
    },
    { isLong: true },
  );
}

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

/**
 * Makes deliveries of numbered events: one per endpoint and event, also if several nodes do so at once, because the
 * position of an endpoint advances in the transaction that stores its deliveries.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../database/database.ts';
import type { Clock, MonotonicClock } from '../../../lib/time.ts';
import { readChain, readThinEvents } from '../../events/queries.ts';
import { enqueueDeliveries, selectEvents } from '../deliveries/enqueue-deliveries.ts';
import { hasPending } from '../deliveries/queries.ts';
import { MAX_DELIVERED, trimDelivered } from '../housekeeping/queries.ts';
import * as queries from '../queries.ts';
import { MAX_ENDPOINTS, MAX_PENDING } from '../webhook.ts';

/** Few enough for a transaction of some milliseconds. */
const BATCH_SIZE = 64;
/** Time until the pending deliveries of an endpoint with the maximum are counted again. */
const FULL_PAUSE_MS = 5_000;

/** Returns the function that makes deliveries of all events that are numbered now. It returns their number. */
export function createFanOut({
  database,
  clock,
  monotonicClock,
  onMade,
}: {
  database: Database;
  clock: Clock;
  monotonicClock: MonotonicClock;
  onMade?: () => void;
}) {
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

async function deliverNext(
  database: Database,
  endpoint: queries.BehindEndpoint,
  now: number,
): Promise<number> {
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

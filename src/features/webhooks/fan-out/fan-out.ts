/**
 * Makes deliveries of numbered events: one per endpoint and event, also if several nodes do so at once, because the
 * position of an endpoint advances in the transaction that stores its deliveries.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../database/database.ts';
import type { Clock, MonotonicClock } from '../../../lib/time/clock.ts';
import { isStored } from '../../events/event-view.ts';
import { type EventRow, readChain, readEventsAfter } from '../../events/queries.ts';
import { type DeliveredEvent, enqueueDeliveries } from '../deliveries/enqueue-deliveries.ts';
import { endpointSubject } from '../rules.ts';
import * as queries from './queries.ts';

/** Few enough for a transaction of some milliseconds. */
const BATCH_SIZE = 64;
/** Beyond that number, events wait in their record, which has a limit of its own. */
export const MAX_PENDING = 10_000;
/** Delivered ones that are kept. */
export const MAX_DELIVERED = 1_000;
/** Time until the pending deliveries of an endpoint with the maximum are counted again. */
const FULL_PAUSE_MS = 5_000;

export interface FanOutDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  /** Is called after each transaction that has stored deliveries. */
  readonly onMade?: () => void;
}

/** Returns the function that makes deliveries of all events that are numbered now. It returns their number. */
export function createFanOut({ database, clock, monotonicClock, onMade }: FanOutDeps) {
  const pausedUntil = new Map<string, number>();
  const isPaused = ({ id }: queries.BehindEndpoint) => (pausedUntil.get(id) ?? 0) > monotonicClock();
  /** Returns null if the endpoint has the maximum of pending deliveries. */
  const step = async (endpoint: queries.BehindEndpoint): Promise<number | null> => {
    if (await queries.hasPending(database, endpoint.id, MAX_PENDING)) return null;
    const live = await deliverNext(database, endpoint, clock());
    return live + (await replayNext(database, endpoint, clock()));
  };
  return async (stopping?: AbortSignal): Promise<number> => {
    let made = 0;
    for (;;) {
      const behind = (await queries.findBehindEndpoints(database)).filter((each) => !isPaused(each));
      if (behind.length === 0 || stopping?.aborted) return made;
      for (const endpoint of behind) {
        const added = await step(endpoint);
        if (added === null) pausedUntil.set(endpoint.id, monotonicClock() + FULL_PAUSE_MS);
        made += added ?? 0;
        if (added) onMade?.();
        // Yields to requests: transactions on SQLite are synchronous and would block the event loop.
        await nextTurn();
      }
    }
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
  const events = await readEventsAfter(database, from - 1, BATCH_SIZE);
  const last = events.at(-1)?.number ?? 0;
  const to = 1 + (events.length < BATCH_SIZE ? Math.max(head, last) : last);
  const selected = selectEvents(events, endpoint);
  return database.transaction(async (tx) => {
    if (!(await queries.advance(tx, { id, from, to }))) return 0;
    await queries.trimDelivered(tx, id, { kept: MAX_DELIVERED, limit: 2 * BATCH_SIZE });
    return (await enqueueDeliveries(tx, { endpointId: id, now }, selected)).length;
  });
}

async function replayNext(
  database: Database,
  endpoint: queries.BehindEndpoint,
  now: number,
): Promise<number> {
  const { id, replay_next_number: from, replay_last_number: end } = endpoint;
  if (from === null || end === null) return 0;
  const events = await readEventsAfter(database, from - 1, BATCH_SIZE);
  const last = events.at(-1)?.number ?? end;
  const to = events.length < BATCH_SIZE || last >= end ? null : last + 1;
  const selected = selectEvents(events, endpoint).filter((event) => isReplayed(event, endpoint));
  return database.transaction(async (tx) => {
    if (!(await queries.advanceReplay(tx, { id, from, to }))) return 0;
    return (await enqueueDeliveries(tx, { endpointId: id, now }, selected)).length;
  });
}

function isReplayed({ number, created_at }: DeliveredEvent, endpoint: queries.BehindEndpoint): boolean {
  const { replay_last_number, replay_from, replay_to } = endpoint;
  const isInTime = created_at >= (replay_from ?? 0) && created_at < (replay_to ?? Number.MAX_SAFE_INTEGER);
  return isInTime && number !== null && number <= (replay_last_number ?? 0);
}

/** Returns the events of the types that the endpoint receives, except its creation and those that were removed. */
function selectEvents(events: readonly EventRow[], { id, types }: queries.BehindEndpoint): DeliveredEvent[] {
  const wanted: readonly string[] | null = types === null ? null : JSON.parse(types);
  const isOwnCreation = ({ type, subject }: EventRow) =>
    type === 'webhook.created' && subject === endpointSubject(id);
  return events
    .filter(isStored)
    .filter((event) => (wanted === null || wanted.includes(event.type)) && !isOwnCreation(event));
}

/** Finds the events that are to be delivered again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader, Tx } from '../../../database/database.ts';
import { inBatches } from '../../../database/rows.ts';
import { type Clock, MINUTE } from '../../../lib/time/clock.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { readChain, readThinEvents } from '../../events/queries.ts';
import { recordEvent } from '../../events/record-event.ts';
import {
  checkRoom,
  type DeliveredEvent,
  enqueueDeliveries,
  lockEnabled,
  MAX_PENDING,
} from '../deliveries/enqueue-deliveries.ts';
import { findEndpoint } from '../queries.ts';
import { formatEndpointSubject, selectEvents } from '../rules.ts';
import { findEventFrom, readEventsById } from './queries.ts';
import type { ReplayedSpan, ReplaySelection } from './rules.ts';

/** Numbers follow the order of commits: an event is numbered at most this much later than events after its time. */
const MAX_DELAY_MS = MINUTE;
/** Few enough for a read of some milliseconds. */
const BATCH_SIZE = 1_000;

/** @throws Problem webhook_not_found, too_many_deliveries, validation_failed */
export function findReplayedEvents(
  database: Database,
  endpointId: string,
  selection: ReplaySelection,
): Promise<DeliveredEvent[]> {
  return 'eventIds' in selection
    ? findSingle(database, selection.eventIds)
    : findOfSpan(database, endpointId, selection);
}

async function findSingle(reader: Reader, ids: readonly string[]): Promise<DeliveredEvent[]> {
  const events = await readEventsById(reader, ids);
  const unknown = ids.filter((id) => events.every((event) => event.id !== id));
  if (unknown.length === 0) return events;
  throw validationFailed({
    event_ids: [`The event_ids field names events that do not exist: ${unknown}.`],
  });
}

async function findOfSpan(
  database: Database,
  endpointId: string,
  { from, to }: ReplayedSpan,
): Promise<DeliveredEvent[]> {
  const endpoint = await findEndpoint(database, endpointId);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  const { first, last } = await findNumbers(database, from, to);
  const found: DeliveredEvent[] = [];
  for (let low = first - 1; low < last; low += BATCH_SIZE) {
    const high = Math.min(low + BATCH_SIZE, last);
    const events = selectEvents(await readThinEvents(database, { low, high }, BATCH_SIZE), endpoint);
    found.push(...events.filter(({ created_at }) => created_at >= from && created_at < to));
    if (found.length > MAX_PENDING) throw new Problem('too_many_deliveries');
    await nextTurn();
  }
  return found;
}

async function findNumbers(reader: Reader, from: number, to: number) {
  const { number: head, deleted_number } = await readChain(reader);
  const span = { low: deleted_number + 1, high: head + 1 };
  const first = await findFirstSince(reader, from - MAX_DELAY_MS, span);
  const last = (await findFirstSince(reader, to + MAX_DELAY_MS, { ...span, low: first })) - 1;
  return { first, last };
}

/** Returns the first number of the span whose event has happened at `time` or later, or its end: a binary search. */
async function findFirstSince(
  reader: Reader,
  time: number,
  { low, high }: { readonly low: number; readonly high: number },
): Promise<number> {
  let [start, end] = [low, high];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const event = await findEventFrom(reader, middle);
    if (event === undefined || event.created_at >= time) end = middle;
    else start = event.number + 1;
  }
  return start;
}

/** Returns the number of deliveries. @throws Problem webhook_not_found, webhook_disabled, too_many_deliveries */
export async function replayEvents(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { endpointId, events }: { readonly endpointId: string; readonly events: readonly DeliveredEvent[] },
): Promise<number> {
  await lockEnabled(tx, endpointId);
  await checkRoom(tx, endpointId, events.length);
  const now = clock();
  for (const batch of inBatches(events)) {
    await enqueueDeliveries(tx, { endpointId, now }, batch);
    // Yields to requests: statements on SQLite are synchronous and would block the event loop.
    await nextTurn();
  }
  const details = { events: events.length };
  await recordEvent(tx, {
    type: 'webhook.replayed',
    subject: formatEndpointSubject(endpointId),
    details,
    now,
  });
  return events.length;
}

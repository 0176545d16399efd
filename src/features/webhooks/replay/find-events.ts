/** Finds the events that are to be delivered again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader, Tx } from '../../../database/database.ts';
import { inBatches } from '../../../database/rows.ts';
import type { Clock } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { findRange } from '../../events/list/list-events.ts';
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
import { readEventsById } from './queries.ts';
import type { ReplaySelection } from './rules.ts';

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
  { from, to }: Exclude<ReplaySelection, { eventIds: unknown }>,
): Promise<DeliveredEvent[]> {
  const endpoint = await findEndpoint(database, endpointId);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  const chain = await readChain(database);
  const span = await findRange(database, { from, to }, chain);
  const found: DeliveredEvent[] = [];
  for (let { low } = span; low < span.high; low += BATCH_SIZE) {
    const range = { low, high: Math.min(low + BATCH_SIZE, span.high), limit: BATCH_SIZE };
    const events = selectEvents(await readThinEvents(database, range), endpoint);
    found.push(...events.filter(({ created_at }) => created_at >= from && created_at < to));
    if (found.length > MAX_PENDING) throw new Problem('too_many_deliveries');
    await nextTurn();
  }
  return found;
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

/** Delivers events again: those that an endpoint has missed since it fails, a selection of events, or one delivery. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader, Tx } from '../../../database/database.ts';
import { inBatches } from '../../../database/prepare.ts';
import type { SchemaValue } from '../../../lib/schema/json-schema.ts';
import { isId } from '../../../lib/secrets/ids.ts';
import { type Clock, END_OF_TIME, parseTimestamp } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { findRange } from '../../events/list/list-events.ts';
import { readChain, readThinEvents } from '../../events/queries.ts';
import { recordEvent } from '../../events/record-event.ts';
import { attemptNow } from '../../jobs/queries.ts';
import { getRecord, lockRecord, storeChange } from '../../records/change-record.ts';
import { attemptAllNow, findMissed, readEventsById } from '../delivery/queries.ts';
import { webhookStore } from '../queries.ts';
import { applyChanges, formatEndpointSubject } from '../rules.ts';
import { MAX_PENDING } from '../webhook.ts';
import type { replaySchema } from './delivery.ts';
import {
  checkRoom,
  type DeliveredEvent,
  enqueueAllAgain,
  enqueueDeliveries,
  lockEnabled,
  selectEvents,
} from './enqueue-deliveries.ts';
import { findDelivery, lockDelivery } from './queries.ts';
import { addAttempts, type DeliveryWithAttempts } from './read-deliveries.ts';

/**
 * Attempts all deliveries again that have failed since `failing_since`, and at once those that wait for another attempt;
 * returns their number. An endpoint that failures have disabled is enabled, and goes on with the first event that it has
 * missed. A second call finds no failed deliveries any more. @throws Problem webhook_not_found, webhook_disabled
 * (by an administrator), too_many_deliveries
 */
export async function replayUndelivered({ clock }: { readonly clock: Clock }, tx: Tx, id: string) {
  const endpoint = await lockRecord(tx, webhookStore, id);
  if (endpoint.disabled_reason === 'administrator') throw new Problem('webhook_disabled');
  const since = endpoint.failing_since;
  if (since === null) return 0;
  const now = clock();
  const failed = await findMissed(tx, { endpointId: id, since });
  await checkRoom(tx, id, failed.length);
  const enabled = applyChanges(endpoint, { enabled: true });
  await storeChange(tx, webhookStore, { before: endpoint, after: enabled, now });
  // Before the failed ones, which are due already.
  const waiting = await attemptAllNow(tx, id, now);
  for (const batch of inBatches(failed)) {
    await enqueueAllAgain(tx, batch, now);
    await nextTurn();
  }
  const events = failed.length + waiting;
  const subject = formatEndpointSubject(id);
  await recordEvent(tx, { type: 'webhook.replayed', subject, details: { events }, now });
  return events;
}

/** Few enough for a read of some milliseconds. */
const BATCH_SIZE = 1_000;

/** @throws Problem webhook_not_found, too_many_deliveries, validation_failed */
export function findReplayedEvents(database: Database, endpointId: string, selection: ReplaySelection) {
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
  const endpoint = await getRecord(database, webhookStore, endpointId);
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

/**
 * A finished delivery gets all attempts of a new one. One that is being attempted stays as it is.
 * @throws Problem webhook_not_found, webhook_disabled, webhook_delivery_not_found, too_many_deliveries
 */
export async function retryDelivery(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<DeliveryWithAttempts> {
  await lockEnabled(tx, endpointId);
  const delivery = isId(deliveryId) ? await lockDelivery(tx, deliveryId, endpointId) : undefined;
  if (delivery === undefined) throw new Problem('webhook_delivery_not_found');
  const now = clock();
  if (delivery.state === 'pending') await attemptNow(tx, deliveryId, now);
  else {
    await checkRoom(tx, endpointId, 1);
    await enqueueAllAgain(tx, [delivery], now);
  }
  const details = { delivery_id: deliveryId };
  const subject = formatEndpointSubject(endpointId);
  await recordEvent(tx, { type: 'webhook.delivery_retried', subject, details, now });
  const [after] = await addAttempts(tx, [(await findDelivery(tx, deliveryId))!]);
  return after!;
}

/** Ids of events, or a span in epoch milliseconds, in which `to` is not included. */
type ReplaySelection =
  | { readonly eventIds: readonly string[] }
  | { readonly from: number; readonly to: number };

/** Whether a replay is one of the deliveries that were missed. @throws Problem validation_failed */
export function isSinceFailing({ since_failing, ...others }: SchemaValue<typeof replaySchema>): boolean {
  if (since_failing === undefined) return false;
  rejectOthers('since_failing', others);
  return true;
}

/** @throws Problem validation_failed unless exactly one of the three forms is given */
export function readSelection(request: SchemaValue<typeof replaySchema>): ReplaySelection {
  const { since, from, to, event_ids } = request;
  if (event_ids !== undefined) {
    rejectOthers('event_ids', { since, from, to });
    return { eventIds: readIds(event_ids) };
  }
  if (since !== undefined) {
    rejectOthers('since', { from, to });
    return { from: readTime('since', since), to: END_OF_TIME };
  }
  if (from === undefined) throw failure('since', 'or from, or event_ids is required.');
  if (to === undefined) throw failure('to', 'is required with from.');
  const span = { from: readTime('from', from), to: readTime('to', to) };
  if (span.from >= span.to) throw failure('to', 'must be later than from.');
  return span;
}

function rejectOthers(name: string, others: object): void {
  for (const [other, value] of Object.entries(others))
    if (value !== undefined) throw failure(other, `is not allowed with ${name}.`);
}

function readIds(ids: readonly string[]): string[] {
  for (const id of ids) if (!isId(id)) throw failure('event_ids', 'must contain ids of events only.');
  return [...new Set(ids)];
}

function readTime(name: string, text: string): number {
  const time = parseTimestamp(text);
  if (time === null) throw failure(name, 'must be a time such as 2026-01-05T09:30:00Z.');
  return time;
}

const failure = (name: string, rest: string) => validationFailed({ [name]: [`The ${name} field ${rest}`] });

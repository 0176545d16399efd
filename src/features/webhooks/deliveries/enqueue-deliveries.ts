/** Stores deliveries with their jobs. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { insertJobs } from '../../jobs/lanes/insert-jobs.ts';
import { ORDINARY, type Priority } from '../../jobs/priority.ts';
import { type DeliveryRow, insertDeliveries, type NewDelivery, reopenDelivery } from './queries.ts';

/** Longer than all attempts of the first delivery of a lane take, so that the next one gets some, too. */
export const DELIVERY_LIFETIME_MS = 7 * DAY;

/** What a delivery says of an event. */
export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly created_at: number;
  /** Null for a test. */
  readonly number: number | null;
}

export interface DeliveryTarget {
  readonly endpointId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Stores one delivery of each of at most 500 events, and returns their ids. */
export async function enqueueDeliveries(
  tx: Tx,
  { endpointId, now }: DeliveryTarget,
  events: readonly DeliveredEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const deliveries = events.map(
    (event): NewDelivery => ({
      id: newId(),
      endpoint_id: endpointId,
      event_number: event.number,
      event_id: event.id,
      type: event.type,
      subject: event.subject,
      sequence: event.sequence,
      occurred_at: event.created_at,
      created_at: now,
    }),
  );
  await insertDeliveries(tx, deliveries);
  await insertDeliveryJobs(tx, deliveries, now);
  return deliveries.map(({ id }) => id);
}

/** Makes a finished delivery pending again, with all attempts of a new one. */
export async function enqueueAgain(tx: Tx, delivery: DeliveryRow, now: number): Promise<void> {
  await reopenDelivery(tx, delivery.id);
  await insertDeliveryJobs(tx, [delivery], now);
}

/** The jobs have the ids of the deliveries. Those of one subject run in order, those of a test in none. */
function insertDeliveryJobs(tx: Tx, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  const jobs = deliveries.map(({ id, endpoint_id, subject, event_number }) => ({
    id,
    lane: subject === null || event_number === null ? null : `${endpoint_id} ${subject}`,
    endpoint_id,
    event_number: event_number ?? 0,
    priority: ORDINARY as Priority,
    created_at: now,
    expires_at: now + DELIVERY_LIFETIME_MS,
  }));
  return insertJobs(tx, jobs);
}

/** Stores deliveries with their jobs. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time/clock.ts';
import {
  type DeliveryRow,
  insertDeliveries,
  insertJobs,
  type NewDelivery,
  reopenDelivery,
} from './queries.ts';

/** Longer than all attempts take. */
const LIFETIME_MS = 7 * DAY;

/** What a delivery says of an event. */
export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly sequence: number | null;
  readonly created_at: number;
  /** Null for a test. */
  readonly number: number | null;
  /** Is sent with the number of `events.head`. */
  readonly headDigest?: string;
}

/** Stores one delivery of each of at most 500 events, and returns their ids. */
export async function enqueueDeliveries(
  tx: Tx,
  { endpointId, now }: { endpointId: string; now: number },
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
      digest: event.headDigest ?? null,
      occurred_at: event.created_at,
      created_at: now,
    }),
  );
  await insertDeliveries(tx, deliveries);
  await insertJobs(tx, deliveries, { now, expiresAt: now + LIFETIME_MS });
  return deliveries.map(({ id }) => id);
}

/** Makes a finished delivery pending again, with all attempts of a new one. */
export async function enqueueAgain(tx: Tx, delivery: DeliveryRow, now: number): Promise<void> {
  await reopenDelivery(tx, delivery.id);
  await insertJobs(tx, [delivery], { now, expiresAt: now + LIFETIME_MS });
}

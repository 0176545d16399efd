/** Stores deliveries with their jobs. */
import type { Tx } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { DAY } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { type EndpointRow, lockEndpoint } from '../queries.ts';
import {
  type DeliveryRow,
  hasPending,
  insertDeliveries,
  insertJobs,
  type NewDelivery,
  reopenDeliveries,
} from './queries.ts';

/** Longer than all attempts take. */
export const LIFETIME_MS = 7 * DAY;

/** Event data of a delivery. */
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

/** Makes at most 500 finished deliveries pending again, with all attempts of new ones. */
export async function enqueueAllAgain(
  tx: Tx,
  deliveries: readonly Pick<DeliveryRow, 'id' | 'endpoint_id'>[],
  now: number,
): Promise<void> {
  await reopenDeliveries(
    tx,
    deliveries.map(({ id }) => id),
  );
  await insertJobs(tx, deliveries, { now, expiresAt: now + LIFETIME_MS });
}

/** Pending deliveries of an endpoint. */
export const MAX_PENDING = 10_000;

/** Returns an endpoint that is enabled, locked. @throws Problem webhook_not_found, webhook_disabled */
export async function lockEnabled(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  if (endpoint.enabled !== 1) throw new Problem('webhook_disabled');
  return endpoint;
}

/** @throws Problem too_many_deliveries if so many more would exceed the maximum of a locked endpoint */
export async function checkRoom(tx: Tx, endpointId: string, added: number): Promise<void> {
  if (added === 0) return;
  const isFull = added > MAX_PENDING || (await hasPending(tx, endpointId, MAX_PENDING - added + 1));
  if (isFull) throw new Problem('too_many_deliveries');
}

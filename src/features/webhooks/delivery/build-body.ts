import { timestamp } from '../../../lib/time/clock.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';

/** Returns the body of a delivery, as Standard Webhooks structure it. It contains no personal data, and is short. */
export function buildBody(delivery: DeliveryRow): string {
  const { type, occurred_at, event_id, subject, sequence, event_number, digest } = delivery;
  const head = digest === null ? {} : { number: event_number, digest };
  const data = { id: event_id, subject, sequence, ...head };
  return JSON.stringify({ type, timestamp: timestamp(occurred_at), data });
}

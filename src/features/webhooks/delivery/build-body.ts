import { timestamp } from '../../../lib/time/clock.ts';
import type { DeliveryRow } from '../deliveries/queries.ts';

/** Returns the body of a delivery, as Standard Webhooks structure it. It contains no personal data, and is short. */
export function buildBody({ type, occurred_at, event_id, subject, sequence }: DeliveryRow): string {
  return JSON.stringify({
    type,
    timestamp: timestamp(occurred_at),
    data: { id: event_id, subject, sequence },
  });
}

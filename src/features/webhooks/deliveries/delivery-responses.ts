/** Responses with deliveries. */
import type { CreatedResponse } from '../../../idempotency/created-response.ts';
import { formatTimestamp, optionalTimestamp } from '../../../lib/time/clock.ts';
import type { DeliveryWithAttempts } from './list-deliveries.ts';

/** Returns a delivery as the API shows it. */
export function deliveryView(delivery: DeliveryWithAttempts) {
  const { id, event_id, type, subject, sequence, state, history } = delivery;
  return {
    id,
    event_id,
    type,
    subject,
    sequence,
    occurred_at: formatTimestamp(delivery.occurred_at),
    state,
    created_at: formatTimestamp(delivery.created_at),
    finished_at: optionalTimestamp(delivery.finished_at),
    next_attempt_at: optionalTimestamp(delivery.next_attempt_at),
    attempts: history.map(({ delivery_id: _, at, ...attempt }) => ({ ...attempt, at: formatTimestamp(at) })),
  };
}

/** Returns the response to a request whose effect follows. */
export function acceptedResponse(message: string, data: object): CreatedResponse {
  return { status: 202, headers: {}, body: { message, data }, createdResources: {} };
}

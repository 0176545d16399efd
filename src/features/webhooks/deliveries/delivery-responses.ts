/** Responses with deliveries. */
import type { CreatedResponse } from '../../../idempotency/created-response.ts';
import { formatTimes } from '../../../lib/time/clock.ts';
import type { DeliveryWithAttempts } from './list-deliveries.ts';

/** Returns a delivery as the API shows it. */
export function deliveryView({ history, ...delivery }: DeliveryWithAttempts) {
  return {
    ...formatTimes(delivery, ['occurred_at', 'created_at', 'finished_at', 'next_attempt_at']),
    attempts: history.map((attempt) => formatTimes(attempt, ['at'])),
  };
}

/** Returns the response to a request whose effect follows. */
export function acceptedResponse(message: string, data: object): CreatedResponse {
  return { status: 202, headers: {}, body: { message, data }, createdResources: {} };
}

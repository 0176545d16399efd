/** Responses with deliveries. */
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import { formatTimes } from '../../../lib/time.ts';
import { buildBody, rebuildRequest } from '../delivery/sign-message.ts';
import type { DeliveryWithAttempts } from './list-deliveries.ts';
import type { AttemptRow } from './queries.ts';

/** Returns a delivery as the API shows it. */
export function deliveryView({ history, ...delivery }: DeliveryWithAttempts) {
  return {
    ...formatTimes(delivery, ['occurred_at', 'created_at', 'finished_at', 'next_attempt_at']),
    attempts: history.map((attempt) => formatTimes(attempt, ['at'])),
  };
}

/** Returns a delivery with its requests and responses. */
export function deliveryDetailView(delivery: DeliveryWithAttempts, attempts: readonly AttemptRow[]) {
  return {
    ...deliveryView(delivery),
    body: buildBody(delivery),
    exchanges: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      request: rebuildRequest(delivery, attempt),
      response: attempt.response === null ? null : JSON.parse(attempt.response),
    })),
  };
}

/** Returns the response to a request whose effect follows. */
export function acceptedResponse(message: string, data: object): CreatedResponse {
  return { status: 202, headers: {}, body: { message, data }, createdResources: {} };
}

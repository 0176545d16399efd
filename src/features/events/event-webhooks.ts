/** Webhooks as OpenAPI 3.1 describes them: one for each type of events. */
import { EVENT_TYPES } from './event-types.ts';

const content = { 'application/json': { schema: { $ref: '#/components/schemas/EventMessage' } } };

/** Every event is sent alike. */
export const webhookPathItems = {
  EventReceiver: {
    post: {
      operationId: 'receiveEvent',
      // Signed: docs/webhooks.md describes the verification.
      security: [],
      summary: 'Receive an event',
      requestBody: { required: true, content },
      responses: { '2XX': { description: 'Received.' } },
    },
  },
};

/** Returns references to the path item, by type. */
export function describeWebhooks() {
  const entries = Object.entries(EVENT_TYPES).map(([type, { meaning: description }]) => [
    type,
    { $ref: '#/components/pathItems/EventReceiver', description },
  ]);
  return Object.fromEntries(entries);
}
